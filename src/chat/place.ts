// Where visitors' requests arrive: a channel of web chat, on the pages that its owner has named, and on our own page for trying it.
import { createSources } from '../callbacks/sources.ts'
import { type Site, sites } from '../channels/accounts/site.ts'
import type { Place } from '../ingress/guest.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Keyring } from '../secrets.ts'

export function placeOf(sql: Queryable, keyring: Keyring, baseUrl: string): Place<Site> {
  const { find, peek } = createSources(ids => sites(sql, ids, keyring))
  return { idPrefix: 'chn', noun: 'chat', find, known: peek, origins: ({ settings }) => [...(settings.origins ?? []), baseUrl] }
}
