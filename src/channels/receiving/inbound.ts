// When a channel was last written to, noted once a second at most.
import type { Ref } from '../../ids.ts'
import { INBOUND_NOTED_MS, SOURCES_KNOWN_MAX } from '../../limits.ts'
import { afterCommit, ahead, type Tx } from '../../postgres/sql.ts'
import * as store from './store.ts'

/** By performance.now(), of the channels for which this process has noted it lately. */
const noted = new Map<string, number>()

export function noteInbound(tx: Tx, { tenant, id }: Ref): void {
  const now = performance.now()
  if (now < (noted.get(id) ?? Number.NEGATIVE_INFINITY) + INBOUND_NOTED_MS) return
  ahead(tx, store.noteInbound(tx, tenant, id))
  afterCommit(tx, () => {
    if (noted.size >= SOURCES_KNOWN_MAX) noted.clear()
    noted.set(id, now)
  })
}
