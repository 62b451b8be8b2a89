// A messenger of one's own, for trying a channel of platform `api`: takes what is sent to `send_url`, verifies it as any receiver should, and shows it.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { now } from '../clock.ts'
import { verifyWebhook } from '../outbound/sign.ts'

/** A message to a customer, as it came. */
export interface Taken {
  id: string
  to: { id: string; name?: string }
  text?: string
  attachments: { type: string; name?: string; url: string }[]
  choices?: { id: string; title: string }[]
  location?: { latitude: number; longitude: number }
}

export interface BridgeOptions {
  /** On loopback; 0: any free port. */
  port: number
  secret: () => string
  onMessage: (message: Taken) => void
}

export interface Bridge {
  url: string
  close(): Promise<void>
}

/** Longer than any message: files are told by their addresses. */
const BODY_BYTES = 1024 * 1024

/**
 * Answers 200 with its own id of the message, which is ours with a letter before it; a repeat of a message gets the same and is not shown again.
 * @throws the error of listening, such as EADDRINUSE
 */
export async function startBridge({ port, secret, onMessage }: BridgeOptions): Promise<Bridge> {
  const shown = new Set<string>()
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await wholeBody(request) : undefined
    const signature = String(request.headers['x-service-signature'] ?? '')
    if (!body || !verifyWebhook(secret(), signature, body, Math.floor(now() / 1000))) return void response.writeHead(401).end()
    const message = JSON.parse(body.toString()) as Taken
    if (!shown.has(message.id)) onMessage(message)
    shown.add(message.id)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: `b${message.id}` }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length
      if (bytes > BODY_BYTES) return undefined
      chunks.push(chunk as Buffer)
    }
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

/** A message as a line or a few of a terminal. */
export function linesOf({ text, attachments, choices = [], location }: Omit<Taken, 'id' | 'to'>): string[] {
  return [
    ...(text === undefined ? [] : text.split('\n')),
    ...attachments.map(({ type, name, url }) => `[${type}${name ? ` ${name}` : ''}] ${url}`),
    ...(location ? [`[location] ${location.latitude}, ${location.longitude}`] : []),
    ...choices.map(({ title }, index) => `  ${index + 1}. ${title}`),
  ].map(line => line.replaceAll(/\p{Cc}+/gu, ' '))
}
