// A platform for tests: a real HTTP server on loopback that answers as the platforms do, keeps a book of what it took, and misbehaves as it is told.
// Telegram, Meta's three and the generic format are told apart by their paths.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request, with its body complete. */
export interface Asked {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** Its JSON, or the fields of its form. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into requests of every shape
  json: any
  at: number
}

/** A message that was taken: shown to the customer. */
export interface Taken {
  to: string
  text: string | undefined
  /** The platform's id. */
  id: string
  /** What tells repeats: `api` only. */
  key: string | undefined
  asked: Asked
}

/**
 * How a request is answered. `take`: as the platform does. Others than answers: `hang` (nothing ever comes), `reset` (before it is looked at), and those
 * that take the message first: `take and hang`, `take and reset`, `take and half` (half an answer).
 */
export type Behaviour =
  | 'take'
  | 'hang'
  | 'reset'
  | 'take and hang'
  | 'take and reset'
  | 'take and half'
  | { status: number; body?: unknown; headers?: Record<string, string>; take?: boolean; afterMs?: number }

export interface TestPlatform {
  origin: string
  /** Requests in the order of their arrival; those for files and for typing are among them. */
  asked: Asked[]
  book: Taken[]
  /** Requests that wait for an answer now. */
  open(): number
  /** The most that waited at once. */
  most(): number
  /** Answers each message by this, unless `next` says otherwise. */
  behave(behaviour: Behaviour | ((asked: Asked) => Behaviour | Promise<Behaviour>)): void
  /** Answers the next messages by these, one after the other. */
  next(...behaviours: Behaviour[]): void
  /** Answers the next files that are uploaded by these. */
  nextFile(...behaviours: Behaviour[]): void
  /** Resolves when this many messages have been asked to be sent. */
  until(messages: number): Promise<void>
  /** Requests to send a message. */
  messages(): Asked[]
  close(): Promise<void>
}

export async function startPlatform(port = 0): Promise<TestPlatform> {
  const asked: Asked[] = []
  const book: Taken[] = []
  const [queue, files]: [Behaviour[], Behaviour[]] = [[], []]
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  let usual: (asked: Asked) => Behaviour | Promise<Behaviour> = () => 'take'
  let [open, most, numbered, filed] = [0, 0, 0, 0]

  const messages = (): Asked[] => asked.filter(each => kindOf(each) === 'message')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    const one: Asked = { path: request.url ?? '', headers: request.headers, body, json: read(request.headers, body), at: Date.now() }
    asked.push(one)
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const kind = kindOf(one)
    const how = kind === 'message' ? (queue.shift() ?? usual(one)) : kind === 'file' ? (files.shift() ?? 'take') : 'take'
    // An answer that waits for a test which waits for the request.
    if (how instanceof Promise) for (const each of [...waiting]) each()
    const behaviour = await how
    const takes = typeof behaviour === 'string' ? behaviour.startsWith('take') : behaviour.take
    const answered = takes ? take(kind, one) : {}
    for (const each of [...waiting]) each()
    act(behaviour, answered, response)
  }

  function take(kind: Kind, one: Asked): object {
    if (kind === 'file') return { id: `media-${++filed}`, attachment_id: `file-${filed}` }
    const number = ++numbered
    if (one.path.endsWith('/getMe')) return { ok: true, result: { id: 42, is_bot: true, first_name: 'Shop', username: 'shop_bot' } }
    if (kind === 'other') return { ok: true, result: true, success: true }
    const to = String(one.json.chat_id ?? one.json.recipient?.id ?? one.json.to?.id ?? one.json.to ?? one.json.recipient)
    const key = one.headers['idempotency-key'] as string | undefined
    const known = key === undefined ? undefined : book.find(each => each.key === key)
    const id =
      known?.id ?? (one.json.chat_id === undefined ? `${one.json.messaging_product ? 'wamid.' : 'mid.'}${number}` : `${to}:${number}`)
    const text = one.json.text?.body ?? one.json.text ?? one.json.message?.text ?? one.json.caption
    if (!known) book.push({ to, text, id, key, asked: one })
    if (one.json.chat_id !== undefined) return { ok: true, result: { message_id: number, chat: { id: Number(to) } } }
    if (one.json.messaging_product) return { messaging_product: 'whatsapp', messages: [{ id }] }
    return key === undefined ? { recipient_id: to, message_id: id } : { id }
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void answer(request, response))
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    book,
    open: () => open,
    most: () => most,
    behave(behaviour) {
      usual = typeof behaviour === 'function' ? behaviour : () => behaviour
    },
    next: (...behaviours) => void queue.push(...behaviours),
    nextFile: (...behaviours) => void files.push(...behaviours),
    messages,
    until: count =>
      new Promise(resolve => {
        const check = (): void => {
          if (messages().length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

type Kind = 'message' | 'file' | 'other'

function kindOf({ path, json }: Asked): Kind {
  if (/\/(media|message_attachments)$/.test(path)) return 'file'
  if (/\/(sendChatAction|getMe|setWebhook|answerCallbackQuery)$/.test(path)) return 'other'
  // A question has no body.
  return json === undefined || json.sender_action !== undefined || json.status === 'read' ? 'other' : 'message'
}

function act(behaviour: Behaviour, answered: object, response: ServerResponse): void {
  if (behaviour === 'take') return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answered))
  if (behaviour === 'hang' || behaviour === 'take and hang') return
  if (behaviour === 'reset' || behaviour === 'take and reset') return void response.socket?.resetAndDestroy()
  if (behaviour === 'take and half') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' }).write('{"ok":true,"resu')
    return void setTimeout(() => response.socket?.destroy(), 20)
  }
  const { status, body = {}, headers = {}, afterMs = 0 } = behaviour
  const text =
    typeof body === 'string' ? body : JSON.stringify(behaviour.take && Object.keys(body as object).length === 0 ? answered : body)
  setTimeout(() => response.writeHead(status, headers).end(text), afterMs)
}

function read({ 'content-type': type = '' }: IncomingHttpHeaders, body: Buffer): unknown {
  const boundary = /boundary=(\S+)/.exec(type)?.[1]
  if (boundary) return fieldsOf(body.toString('latin1'), boundary)
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The fields of a form; of its file the name, the type and the bytes. */
function fieldsOf(text: string, boundary: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const each of text.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = each.split('\r\n\r\n')
    const value = rest.join('\r\n\r\n').slice(0, -2)
    const name = / name="([^"]*)"/.exec(head)?.[1] as string
    const fileName = / filename="([^"]*)"/.exec(head)?.[1]
    const type = /Content-Type: (.*)/.exec(head)?.[1]?.trim()
    fields[name] =
      fileName === undefined ? Buffer.from(value, 'latin1').toString() : { fileName, type, bytes: Buffer.from(value, 'latin1') }
  }
  return fields
}
