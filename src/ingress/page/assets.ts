// The files that pages load. Each has a hash of its content in its name, so browsers keep it for ever.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ASSET_SECONDS } from '../../limits/pages.ts'
import { matchesNone } from '../conditional.ts'
import { type Encoded, encodings } from '../encoded.ts'

interface Asset {
  type: string
  encoded: (acceptEncoding: string | undefined) => Encoded
  hash: string
}

const TYPES: Record<string, string> = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }
const NAMES = ['page.css', 'page.js', 'reference.js']

let read: Map<string, Asset> | undefined

// Read at the first visit: without readers they take no memory.
function assets(): Map<string, Asset> {
  read ??= new Map(NAMES.map(name => [name, asset(name)]))
  return read
}

function asset(name: string): Asset {
  const text = readFileSync(join(import.meta.dirname, 'assets', name), 'utf8')
  return { type: TYPES[extname(name)] as string, encoded: encodings(text), hash: hash('sha256', text, 'base64url').slice(0, 12) }
}

/** The path of a file that pages load, e.g. `page-3fQ9….css`, below the folder of assets. */
export function assetName(name: string): string {
  const found = assets().get(name)
  if (!found) throw new Error(`there is no asset ${name}`)
  const type = extname(name)
  return `${name.slice(0, -type.length)}-${found.hash}${type}`
}

/** Answers with the file of that name; @returns false where there is none. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, name: string): boolean {
  const [, start, wanted, type] = /^([a-z]+)-([\w-]{12})(\.[a-z]+)$/.exec(name) ?? []
  const found = assets().get(`${start}${type}`)
  if (!found) return false
  const { body, etag, headers } = found.encoded(request.headers['accept-encoding']?.toString())
  // While a new version is rolled out, a page of one process may ask another process for its files.
  const kept = wanted === found.hash ? `public, max-age=${ASSET_SECONDS}, immutable` : 'no-cache'
  reply.headers({ ...headers, etag, 'Cache-Control': kept, 'X-Content-Type-Options': 'nosniff' })
  if (matchesNone(request.headers['if-none-match'], etag)) reply.code(304).removeHeader('content-encoding').send()
  else reply.type(found.type).send(body)
  return true
}
