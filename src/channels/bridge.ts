// A messenger of one's own, for trying a channel of platform `api`: takes what is sent to `send_url`, verifies it as any receiver should, and shows it.
import { printableLine } from '../cli/printable.ts'
import { now } from '../clock.ts'
import { type Loopback, listenOnLoopback, wholeBody } from '../loopback.ts'
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

/** Longer than any message: files are told by their addresses. */
const BODY_BYTES = 1024 * 1024

/**
 * Answers 200 with its own id of the message, which is ours with a letter before it; a repeat of a message gets the same and is not shown again.
 * @throws the error of listening, such as EADDRINUSE
 */
export async function startBridge({ port, secret, onMessage }: BridgeOptions): Promise<Loopback> {
  const shown = new Set<string>()
  return listenOnLoopback(port, async (request, response) => {
    const body = request.method === 'POST' ? await wholeBody(request, BODY_BYTES) : undefined
    const signature = String(request.headers['x-service-signature'] ?? '')
    if (!body || !verifyWebhook(secret(), signature, body, Math.floor(now() / 1000))) return void response.writeHead(401).end()
    const message = JSON.parse(body.toString()) as Taken
    if (!shown.has(message.id)) onMessage(message)
    shown.add(message.id)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: `b${message.id}` }))
  })
}

/** A message as a line or a few of a terminal. */
export function linesOf({ text, attachments, choices = [], location }: Omit<Taken, 'id' | 'to'>): string[] {
  return [
    ...(text === undefined ? [] : text.split('\n')),
    ...attachments.map(({ type, name, url }) => `[${type}${name ? ` ${name}` : ''}] ${url}`),
    ...(location ? [`[location] ${location.latitude}, ${location.longitude}`] : []),
    ...choices.map(({ title }, index) => `  ${index + 1}. ${title}`),
  ].map(printableLine)
}
