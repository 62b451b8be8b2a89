// The methods besides tools/call. https://modelcontextprotocol.io/specification/2025-03-26
import type { InitializeResult } from '@modelcontextprotocol/sdk/types.js'
import { answer, answerOf, errorAnswer, INVALID_PARAMS, METHOD_NOT_FOUND, type Outgoing, type Request } from './messages.ts'
import { quoted } from './shown.ts'

export interface About {
  /** What `initialize` may answer: the version asked for if it is among these, else the first. */
  versions: readonly string[]
  /** The program's version. */
  version: string
}

type Params = Record<string, unknown>

/** Answers anything but a call. @param tools the JSON of the caller's tools @param instructions made when they are asked for */
export async function answerMethod(
  about: About,
  request: Request,
  tools: () => Buffer,
  instructions: () => Promise<string>,
): Promise<Outgoing> {
  const { id, method } = request
  const params = request.params ?? {}
  if (!KNOWN.has(method)) return errorAnswer(id, METHOD_NOT_FOUND, `The method ${quoted(method)} is not offered here.`)
  if (typeof params !== 'object' || Array.isArray(params) || request.params === null)
    return errorAnswer(id, INVALID_PARAMS, 'params must be an object.')
  if (method === 'ping') return answer(id, '{}')
  if (method === 'tools/list') {
    if ((params as { cursor?: unknown }).cursor != null)
      return errorAnswer(id, INVALID_PARAMS, 'cursor: all tools are on one page; ask for them without a cursor.')
    return answerOf(id, tools())
  }
  const fault = faultOfInitialize(params as Params)
  if (fault !== undefined) return errorAnswer(id, INVALID_PARAMS, fault)
  const asked = (params as Params)['protocolVersion'] as string
  const result: InitializeResult = {
    protocolVersion: about.versions.includes(asked) ? asked : (about.versions[0] as string),
    capabilities: { tools: {} },
    serverInfo: { name: 'shopdesk', title: 'Shopdesk', version: about.version },
    instructions: await instructions(),
  }
  return answer(id, JSON.stringify(result))
}

const KNOWN = new Set(['initialize', 'ping', 'tools/list'])

function faultOfInitialize(params: Params): string | undefined {
  if (typeof params['protocolVersion'] !== 'string') return 'protocolVersion must be a text, such as "2025-03-26".'
  for (const name of ['capabilities', 'clientInfo']) {
    const value = params[name]
    if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) return `${name} must be an object.`
  }
  return undefined
}
