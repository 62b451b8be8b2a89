// The platforms that are asked who an account is. The others (api, web) have none.
import type { Connector } from './connector.ts'
import { facebook, instagram } from './messenger/connector.ts'
import type { PlatformName } from './names.ts'
import { connector as telegram } from './telegram/connector.ts'
import { connector as whatsapp } from './whatsapp/connector.ts'

export const CONNECTORS: Partial<Record<PlatformName, Connector>> = { telegram, whatsapp, facebook, instagram }
