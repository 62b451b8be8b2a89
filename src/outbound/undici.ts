// The two parts of undici that are used here. Its entry loads a hundred modules more (fetch, WebSocket, caches), which cost every worker a twentieth of
// a second and 4 MB at its start.
import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

export type Client = undici.Client

export const Client: typeof undici.Client = require('undici/lib/dispatcher/client.js')
export const buildConnector: typeof undici.buildConnector = require('undici/lib/core/connect.js')
