// The platforms that messages are sent to. Web chat's visitors see them without that: see src/chat/.
import { api } from './api/send.ts'
import { messenger } from './messenger/send.ts'
import type { PlatformName } from './names.ts'
import type { Sender } from './sender.ts'
import { telegram } from './telegram/send.ts'
import { whatsapp } from './whatsapp/send.ts'

export const SENDERS: Partial<Record<PlatformName, Sender>> = {
  telegram,
  whatsapp,
  facebook: messenger('facebook'),
  instagram: messenger('instagram'),
  api,
}
