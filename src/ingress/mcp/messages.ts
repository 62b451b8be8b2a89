// JSON-RPC 2.0: what a message is, and the answers to it. https://www.jsonrpc.org/specification
import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { MCP_BATCH_MAX } from '../../limits/mcp.ts'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
/** The server's own: what HTTP refuses. */
export const REFUSED = -32000

/** A message that is answered. */
export interface Request {
  kind: 'request'
  id: RequestId
  method: string
  params: unknown
}

/** A notification, or an answer to a question that this server never asks: nothing is done about either. */
interface Silent {
  kind: 'silent'
  /** A notification's. */
  method?: string
}

/** What is no message. */
interface Faulty {
  kind: 'faulty'
  why: string
}

export type Message = Request | Silent | Faulty

/** The messages of a body; or why it is refused as a whole. */
export interface Framed {
  isBatch: boolean
  messages: Message[]
  refusal?: string
}

/** @param body the value of the JSON text */
export function frame(body: unknown): Framed {
  if (!Array.isArray(body)) {
    const message = messageOf(body)
    return { isBatch: false, messages: [message], ...(message.kind === 'faulty' && { refusal: message.why }) }
  }
  if (body.length === 0) return refused('A batch must hold at least one message.')
  if (body.length > MCP_BATCH_MAX) return refused(`A batch may hold at most ${MCP_BATCH_MAX} messages; send several.`)
  const messages = body.map(messageOf)
  if (messages.some(each => each.kind !== 'faulty' && each.method === 'initialize'))
    return refused('initialize must be sent alone, not in a batch.')
  return { isBatch: true, messages }
}

const refused = (refusal: string): Framed => ({ isBatch: true, messages: [], refusal })

function messageOf(value: unknown): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return faulty('A message must be a JSON object.')
  const has = (name: string): boolean => Object.hasOwn(value, name)
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  if (!has('jsonrpc') || jsonrpc !== '2.0') return faulty('jsonrpc must be "2.0".')
  if (!has('method') && (has('result') || has('error'))) return { kind: 'silent' }
  if (typeof method !== 'string') return faulty('method must be a string.')
  if (!has('id')) return { kind: 'silent', method }
  if (!isId(id)) return faulty('id must be a string or a whole number.')
  return { kind: 'request', id: id as RequestId, method, params: has('params') ? params : undefined }
}

const faulty = (why: string): Faulty => ({ kind: 'faulty', why })

// A number beyond 2^53 has been read as another one: its answer would find no request.
const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)

/** JSON that goes out: a text; or bytes in pieces, of which the large ones are made once and are the same in every answer. */
export type Outgoing = string | Buffer[]

/** @param result JSON text, which is neither copied nor changed */
export const answerOf = (id: RequestId, result: Buffer): Buffer[] => [
  Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
  result,
  CLOSED,
]

const CLOSED = Buffer.from('}')

/** The answers to a batch as one. */
export function batchOf(answers: Outgoing[]): Outgoing {
  if (answers.every(each => typeof each === 'string')) return `[${answers.join(',')}]`
  const pieces = answers.flatMap((each, index) => [index === 0 ? OPEN : COMMA, ...(typeof each === 'string' ? [Buffer.from(each)] : each)])
  return [...pieces, SHUT]
}

const [OPEN, COMMA, SHUT] = ['[', ',', ']'].map(each => Buffer.from(each)) as [Buffer, Buffer, Buffer]

/** @param result JSON text */
export const answer = (id: RequestId, result: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export function errorAnswer(id: RequestId | null, code: number, message: string, data?: object): string {
  const error: JSONRPCErrorResponse['error'] = { code, message, ...(data && { data }) }
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(error)}}`
}
