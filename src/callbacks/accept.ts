// A callback on its way in: its source is known, its signature fits, its JSON can be read; then it is kept.
import { now } from '../clock.ts'
import type { Ref } from '../ids.ts'
import type { AddressLimiter } from '../ingress/address-limit.ts'
import { type CallbackRoute, invalidSignature } from '../ingress/callback.ts'
import { readPlatformJson } from '../ingress/platform-json.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import type { Keeping } from './callbacks.ts'
import type { Kind, KindName } from './kind.ts'
import { createSources } from './sources.ts'

const SETTINGS: Record<KindName, string> = { channel: 'INBOUND_CHANNEL_LIMIT', payment: 'INBOUND_PAYMENT_LIMIT' }
const NOUNS: Record<KindName, string> = { channel: 'channel', payment: 'payment provider' }

/** @param limits of addresses: all sources of a kind share one */
export const callbackRoutes = (
  sql: Queryable,
  kinds: Kind[],
  { keep }: Keeping,
  limits: Record<KindName, AddressLimiter>,
): CallbackRoute[] => kinds.map(kind => routeOf(sql, kind, keep, limits[kind.name]))

function routeOf<Source extends Ref>(sql: Queryable, kind: Kind<Source>, keep: Keeping['keep'], limit: AddressLimiter): CallbackRoute {
  const { path, prefix, name } = kind
  const noun = NOUNS[name]
  const sources = createSources(ids => kind.find(sql, ids))
  const known = async (id: string): Promise<Source> => {
    const source = await sources.find(id)
    if (!source) throw notFound(noun)
    return source
  }
  return {
    path,
    idPrefix: prefix,
    noun,
    limit,
    setting: SETTINGS[name],
    async take(id, signed) {
      let source = sources.peek(id) ?? (await known(id))
      if (!kind.verify(source, signed, now())) {
        // A secret may have been replaced a moment ago.
        sources.forget(source)
        source = await known(id)
        if (!kind.verify(source, signed, now())) throw invalidSignature()
      }
      const { text, value } = readPlatformJson(signed.raw)
      kind.check?.(source, value)
      return keep({ tenant: source.tenant, id: source.id }, text)
    },
    ...(kind.greet && { greet: async (id: string, query: Record<string, unknown>) => kind.greet?.(await known(id), query) }),
  }
}
