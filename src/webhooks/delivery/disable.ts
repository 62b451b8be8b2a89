// Disables an endpoint without its tenant: nothing more is sent, pending deliveries are kept, webhooks that subscribed to the event are sent it, and
// the tenant's admins get a mail.

import { emit } from '../../events/emit.ts'
import type { Ref } from '../../ids.ts'
import { begin, type Sql } from '../../postgres/sql.ts'
import { WebhookDisabled } from '../endpoints/events.ts'
import { maskedUrl } from '../endpoints/redact.ts'
import * as store from './disable-store.ts'
import { tellDisabled } from './notify.ts'

/** Endpoints that worker after worker died of. */
export const setAside = store.listSetAside

/**
 * @param reason as in "it was disabled after …"
 * @param failures in a row that it must still have: with fewer it was enabled anew meanwhile, and stays so
 */
export async function disableFor(sql: Sql, endpoint: Ref, reason: string, failures = 0): Promise<void> {
  await begin(sql, async tx => {
    const disabled = await store.disableFailing(tx, endpoint, reason, failures)
    if (!disabled) return
    const url = maskedUrl(disabled.url)
    const data = { webhook_id: endpoint.id, url, reason, disabled_at: disabled.disabled_at.toISOString() }
    await emit(tx, { tenant: endpoint.tenant, actor: { type: 'system' } }, WebhookDisabled, data)
    await tellDisabled(tx, endpoint, { url, reason })
  })
}
