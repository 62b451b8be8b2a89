// A shop with a web chat, and its visitors as their browsers ask.
import { createHmac } from 'node:crypto'
import { add, newSecret } from '../../src/channels/accounts/accounts.ts'
import type { Settings } from '../../src/channels/accounts/settings.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { TestApp, TestTenant } from '../support/app.ts'

export const ORIGIN = 'https://shop.example.com'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any
  text: string
}

export interface Ask {
  method?: string
  token?: string | undefined
  /** null: none is sent. */
  origin?: string | null
  body?: unknown
  raw?: string | Buffer
  headers?: Record<string, string>
}

export interface Chat {
  shop: TestTenant
  id: string
  secret: string
  ask(path: string, ask?: Ask): Promise<Reply>
  /** A visitor's token. */
  visitor(body?: object): Promise<{ id: string; token: string }>
}

export async function aChat(app: TestApp, over: Partial<Settings> = {}): Promise<Chat> {
  const shop = await app.tenant()
  const caller = { tenant: shop.id, actor: { type: 'cli' as const } }
  const secret = newSecret()
  const settings = { origins: [ORIGIN], ...over }
  const id = await begin(app.sql, tx => add(tx, caller, { platform: 'web', name: 'Chat', settings, credentials: { secret } }, app.keyring))
  const ask = (path: string, given: Ask = {}) => request(app, `/api/chat/${id}/${path}`, given)
  return {
    shop,
    id,
    secret,
    ask,
    async visitor(body = {}) {
      const reply = await ask('visitors', { body })
      if (reply.status !== 200) throw new Error(reply.text)
      return { id: reply.body.id, token: reply.body.visitor_token }
    },
  }
}

export async function request(
  app: TestApp,
  path: string,
  { method, token, origin = ORIGIN, body, raw, headers = {} }: Ask,
): Promise<Reply> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(app.url + path, {
    method: method ?? (content === undefined ? 'GET' : 'POST'),
    // The types of pages bring the browser's own, whose fetch takes no Buffer that might be shared.
    ...(content !== undefined && { body: content as string }),
    headers: {
      ...(origin !== null && { Origin: origin }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(raw === undefined && content !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, text, body: text && isJson ? JSON.parse(text) : undefined }
}

/** As the shop's own server signs who its visitor is. */
export function identity(secret: string, who: object, exp = Math.floor(Date.now() / 1000) + 3600): string {
  const payload = Buffer.from(JSON.stringify({ ...who, exp })).toString('base64url')
  return `${payload}.${createHmac('sha256', secret).update(payload).digest('hex')}`
}
