// A client of the agent server that sends what it is told to, and keeps all that comes back. Each refusal that it gets must say what to do next by tools
// that there are.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { createKey } from '../../src/access/keys.ts'
import { agentTools } from '../../src/catalog.ts'
import { faultsOf, findersOf } from '../../src/ingress/mcp/arguments.ts'
import type { TestApp } from './app.ts'

export interface AgentReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The body as JSON; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any
}

export interface AgentAsk {
  method?: string
  path?: string
  /** JSON, or a text as it is sent. */
  body?: unknown
  /** Null: left out. */
  headers?: Record<string, string | null>
  /** Sent in chunks, without a length. */
  isChunked?: boolean
}

export interface Agent {
  key: string
  keyId: string
  ask(ask: AgentAsk): Promise<AgentReply>
  /** Calls a tool. @returns its structured result, whether it is an error, and the whole answer */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape
  call(name: string, args?: object): Promise<{ result: any; isError: boolean; reply: AgentReply }>
}

/** An agent of a workspace, with a key of its own. */
export async function anAgent(app: TestApp, tenant: string, scopes = ['read', 'write'], name = 'Helper'): Promise<Agent> {
  const { id, key } = await createKey(app.sql, { tenant, kind: 'mcp', scopes, name })
  return { keyId: id, ...agentWith(app.url, key) }
}

/** An agent that calls this address with this key. */
export function agentWith(url: string, key: string): Omit<Agent, 'keyId'> {
  const ask = (asked: AgentAsk) => askAgent(url, { ...asked, headers: { Authorization: `Bearer ${key}`, ...asked.headers } })
  let id = 0
  return {
    key,
    ask,
    async call(name, args) {
      const params = { name, ...(args !== undefined && { arguments: args }) }
      const reply = await ask({ body: { jsonrpc: '2.0', id: ++id, method: 'tools/call', params } })
      const { structuredContent, isError = false } = reply.body?.result ?? {}
      if (isError) await callsOf(structuredContent.error.next_step)
      return { result: structuredContent, isError, reply }
    },
  }
}

/** The calls that a `next_step` writes out. @throws where it names no tool that there is, or a call does not fit its tool */
export async function callsOf(step: string): Promise<{ name: string; args: object }[]> {
  const tools = await agentTools()
  for (const [word] of step.matchAll(/\b(get|update|reply|tag|pause)_[a-z_]+\b/g))
    assert.ok(
      tools.some(({ name }) => name === word),
      `${word} in: ${step}`,
    )
  return [...step.matchAll(/\b([a-z_]+) (\{.*?\})/g)].map(([, name = '', text = '']) => {
    const tool = tools.find(each => each.name === name)
    const args = JSON.parse(text)
    assert.ok(tool, step)
    assert.deepEqual(faultsOf(tool, structuredClone(args), findersOf(tools)), [], step)
    return { name, args }
  })
}

export function askAgent(
  url: string,
  { method = 'POST', path = '/api/mcp', body, headers = {}, isChunked }: AgentAsk,
): Promise<AgentReply> {
  const content = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const all = { ...(content !== undefined && { 'Content-Type': 'application/json' }), ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<string, string>
  const length = content === undefined || isChunked ? {} : { 'Content-Length': String(Buffer.byteLength(content as string)) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, { method, agent: false, headers: { ...length, ...sent } }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => {
        const isJson = text !== '' && /json/.test(response.headers['content-type'] ?? '')
        resolve({ status: response.statusCode as number, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined })
      })
      response.on('error', reject)
    })
    request.on('error', reject)
    if (isChunked) for (const piece of (content as string).match(/[\s\S]{1,7}/g) ?? []) request.write(piece)
    request.end(isChunked ? undefined : content)
  })
}
