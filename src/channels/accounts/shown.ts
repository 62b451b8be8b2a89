// What is shown of a channel beside its row: the defaults of its settings, and its limits.
import type { Config } from '../../config.ts'
import type { FileKind, Limits } from '../platforms/limits.ts'
import { LIMITS } from '../platforms/limits.ts'
import type { PlatformName } from '../platforms/names.ts'
import { REOPEN_HOURS, type Settings } from './settings.ts'

/** What a channel is shown with. */
export interface Shown {
  baseUrl: string
  /** The largest file that this installation takes. */
  attachmentBytes: number
}

export const shownBy = ({ baseUrl, attachmentMaxBytes }: Pick<Config, 'baseUrl' | 'attachmentMaxBytes'>): Shown => ({
  baseUrl,
  attachmentBytes: attachmentMaxBytes,
})

/** Where the APIs of platforms are, unless a channel says otherwise. */
export const API_URLS: Partial<Record<PlatformName, string>> = {
  telegram: 'https://api.telegram.org',
  whatsapp: 'https://graph.facebook.com/v25.0',
  facebook: 'https://graph.facebook.com/v25.0',
  instagram: 'https://graph.facebook.com/v25.0',
}

const receipts = { read_receipts: true }
const own: Record<PlatformName, Partial<Settings>> = {
  telegram: receipts,
  whatsapp: receipts,
  facebook: { ...receipts, human_agent: false },
  instagram: { ...receipts, human_agent: false },
  api: {},
  web: {},
}

/** By platform, as JSON. */
export const DEFAULTS = JSON.stringify(
  Object.fromEntries(
    Object.entries(own).map(([name, settings]) => {
      const url = API_URLS[name as PlatformName]
      return [name, { reopen_hours: REOPEN_HOURS, ...(url && { api_url: url }), ...settings }]
    }),
  ),
)

/** By platform, as JSON. @param most bytes of a file that this installation takes */
export const limitsShown = (most: number): string =>
  JSON.stringify(Object.fromEntries(Object.entries(LIMITS).map(([name, limits]) => [name, shown(limits, most)])))

function shown({ text_max, text_unit, files }: Limits, most: number) {
  const bytes = Math.max(...Object.values(files).map(each => each.bytes))
  return { text_max, text_unit, attachment_types: Object.keys(files) as FileKind[], attachment_bytes: Math.min(bytes, most) }
}
