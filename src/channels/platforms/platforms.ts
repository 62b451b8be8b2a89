// The platforms whose callbacks are read here.
import { read as readApi } from './api/read.ts'
import { verify as verifyApi } from './api/verify.ts'
import { verify as verifyGraph } from './graph/verify.ts'
import { reader } from './messenger/read.ts'
import type { PlatformName } from './names.ts'
import type { Platform } from './platform.ts'
import { read as readTelegram } from './telegram/read.ts'
import { verify as verifyTelegram } from './telegram/verify.ts'
import { web } from './web/read.ts'
import { read as readWhatsApp } from './whatsapp/read.ts'

export const PLATFORMS: Record<PlatformName, Platform> = {
  telegram: { verify: verifyTelegram, read: readTelegram },
  whatsapp: { verify: verifyGraph, read: readWhatsApp },
  facebook: { verify: verifyGraph, read: reader('page') },
  instagram: { verify: verifyGraph, read: reader('instagram') },
  api: { verify: verifyApi, read: readApi },
  web,
}
