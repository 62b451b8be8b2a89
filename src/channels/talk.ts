// `shopdesk channel talk`: plays the customer of a channel of platform `api`. What is typed is called back, signed, as its integrator would; what goes
// out to that customer is shown: it is taken at `send_url` where that is a free port of this machine, else it is read from the conversation.
import { setTimeout as delay } from 'node:timers/promises'
import type { Terminal } from '../cli/terminal.ts'
import { now } from '../clock.ts'
import { saidIn } from '../conversations/thread.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Loopback } from '../loopback.ts'
import { isLoopbackHost, type Policy } from '../outbound/address.ts'
import { createClient } from '../outbound/client.ts'
import { signWebhook } from '../outbound/sign.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import type { Keyring } from '../secrets.ts'
import { open } from './accounts/credentials.ts'
import { findSealed } from './accounts/store.ts'
import { linesOf, startBridge, type Taken } from './bridge.ts'

export interface Talking {
  sql: Queryable
  keyring: Keyring
  outbound: Policy
  /** Where the service is. */
  baseUrl: string
  tenant: string
  channel: string
  customer: { id: string; name: string }
  /** Where the customer sits. @param onLine takes what they type */
  sitDown(onLine: (line: string) => Promise<void>): Terminal
}

/** How often the conversation is looked at, where the messages themselves go elsewhere. */
const LOOK_MS = 500
const LOOKED_AT_ONCE = 100

/** Talks until the input ends. @throws {Problem} 404 @throws {OperatorError} for a channel of another platform */
export async function talk(at: Talking): Promise<void> {
  const row = await findSealed(at.sql, at.tenant, at.channel)
  if (!row) throw notFound('channel')
  if (row.platform !== 'api')
    throw new OperatorError(`${at.channel} is a channel of ${row.platform}; talk plays the customer of one of platform api.`)
  const secret = open(at.keyring, at.tenant, row.id, row.credentials).secret as string
  const choices: NonNullable<Taken['choices']> = []
  const show = (message: Omit<Taken, 'id' | 'to'>): void => {
    choices.splice(0, choices.length, ...(message.choices ?? []))
    for (const line of linesOf(message)) terminal.print(`  ← ${line}`)
  }
  const call = caller(at, secret)
  const terminal = at.sitDown(line => say(terminal, line.trim(), choices, call))
  const bridge = await bridgeAt(row.settings.send_url, secret, message => {
    if (message.to.id !== at.customer.id) return
    show(message)
    void call({ type: 'delivered', message_id: message.id })
  })
  const ended = new AbortController()
  const followed = bridge ? undefined : follow(at, show, ended.signal)
  const talked = terminal.ended()
  terminal.print(`You are ${at.customer.name}. Type what they write; a number presses a choice; Ctrl-D ends.`)
  try {
    await talked
  } finally {
    ended.abort()
    await followed
    await bridge?.close()
    await call.close()
  }
}

type Call = ((update: object) => Promise<string | undefined>) & { close(): Promise<void> }

/** Calls the channel back as its integrator would. @returns why it was not taken */
function caller({ outbound, baseUrl, tenant, channel, customer }: Talking, secret: string): Call {
  const url = `${baseUrl}/api/channels/${channel}/callback`
  // The service may well be on this machine.
  const client = createClient({ ...outbound, allowOrigins: [...outbound.allowOrigins, new URL(url).origin] })
  const call = async (update: object): Promise<string | undefined> => {
    const body = JSON.stringify({
      id: newId('msg').replace('msg_', 'talk-'),
      from: customer,
      timestamp: new Date(now()).toISOString(),
      ...update,
    })
    const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': signWebhook([secret], Math.floor(now() / 1000), body) }
    const outcome = await client.post({ url, tenant, headers, body, timeoutMs: 10_000, bodyExtraMs: 2_000, keepResponseBytes: 4_096 })
    if (outcome.error) return `The service is not reached at ${baseUrl}: ${outcome.message} Is it running, and is BASE_URL its address?`
    return outcome.status === 200 ? undefined : `The service answered ${outcome.status}: ${outcome.body}`
  }
  return Object.assign(call, { close: () => client.close() })
}

async function say({ isLive, print }: Terminal, line: string, choices: NonNullable<Taken['choices']>, call: Call): Promise<void> {
  if (line === '') return
  const chosen = /^\d$/.test(line) ? choices[Number(line) - 1] : undefined
  // What was typed is gone from the screen.
  if (isLive) print(`  → ${chosen?.title ?? line}`)
  const refused = await call(chosen ? { text: chosen.title, choice_id: chosen.id } : { text: line })
  if (refused !== undefined) print(`  ! ${refused}`)
}

/** Takes messages at `send_url`. @returns undefined where another takes them */
async function bridgeAt(url: string | undefined, secret: string, onMessage: (message: Taken) => void): Promise<Loopback | undefined> {
  const place = url === undefined ? null : URL.parse(url)
  if (place?.protocol !== 'http:' || !isLoopbackHost(place.hostname)) return undefined
  try {
    return await startBridge({ port: Number(place.port || 80), secret: () => secret, onMessage })
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

/** Shows what is said to the customer, as the conversation has it. */
async function follow(
  { sql, tenant, channel, customer }: Talking,
  show: (message: Omit<Taken, 'id' | 'to'>) => void,
  signal: AbortSignal,
): Promise<void> {
  const thread = { channel_id: channel, thread: customer.id }
  // What fails is said no more: then the newest are told again.
  const known = new Set((await saidIn(sql, tenant, thread, LOOKED_AT_ONCE)).messages.map(each => each.id))
  let last = [...known].at(-1)
  while (!signal.aborted) {
    const { messages } = await saidIn(sql, tenant, thread, LOOKED_AT_ONCE, last)
    last = messages.at(-1)?.id ?? last
    for (const { id, direction, text, attachments, choices, location } of messages) {
      if (direction === 'outbound' && !known.has(id))
        show({
          attachments: attachments.map(({ type, name, url }) => ({ type, url, ...(name && { name }) })),
          ...(text !== null && { text }),
          ...(choices && { choices }),
          ...(location && { location }),
        })
      known.add(id)
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => {})
  }
}
