// Where the files of received messages lie, by channel: asked anew at each attempt, for addresses live for minutes.
import type { Locate, Located, Unlocated } from '../attachments/origin.ts'
import type { Queryable } from '../postgres/sql.ts'
import { findSealed } from './accounts/store.ts'
import { type ChannelContext, joined, joiningOf } from './joining.ts'
import type { Asked } from './platforms/ask.ts'
import { attachedTo, locate as ofGraph } from './platforms/graph/file.ts'
import type { PlatformName } from './platforms/names.ts'
import { locate as ofTelegram } from './platforms/telegram/file.ts'

type LocateById = (asked: Asked, file_id: string) => Promise<Located | Unlocated>

/** The platforms that name files by ids. The others say where a file lies. */
const BY_ID: Partial<Record<PlatformName, LocateById>> = {
  telegram: ofTelegram,
  whatsapp: ofGraph,
  facebook: ofGraph,
  instagram: ofGraph,
}

export const createLocate =
  (sql: Queryable, context: Pick<ChannelContext, 'keyring' | 'client'>): Locate =>
  async ({ tenant, channel, source, attempts }) => {
    // The address that came with the message is good as a rule; the next attempts ask for another.
    if ('url' in source && (source.message === undefined || attempts <= 1)) return at(source.url)
    const row = await findSealed(sql, tenant, channel)
    if (!row) return { gone: { code: 'channel_deleted', message: 'The channel was deleted before the file was fetched.' } }
    const asked = joined(tenant, joiningOf(tenant, row, context), context)
    if ('url' in source) return at((await attachedTo(asked, source.message ?? '', source.part ?? 0)) ?? source.url)
    const byId = BY_ID[row.platform]
    if (!byId) return { gone: { code: 'unavailable', message: 'This channel has no files of its own.' } }
    return byId(asked, source.file_id)
  }

const at = (url: string): Located => ({ url, headers: {}, trusts: () => false })
