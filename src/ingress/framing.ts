// What the head of a request says of its framing.
import type { IncomingMessage } from 'node:http'

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
