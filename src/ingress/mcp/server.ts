// The agent server: answers the messages of one request whose caller is known. It knows no noun: tools, credentials and instructions are handed in.
import type { Caller } from '../../caller.ts'
import { MCP_READS_AT_ONCE } from '../../limits/mcp.ts'
import type { Bucket } from '../admission.ts'
import { findersOf } from './arguments.ts'
import { answerCall, type Call, type Calling, callOf, run, type Within } from './call.ts'
import { listingOf } from './catalogue.ts'
import type { Admitted, Slot } from './credentials.ts'
import {
  batchOf,
  errorAnswer,
  type Framed,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Message,
  type Outgoing,
  type Request,
} from './messages.ts'
import { type About, answerMethod } from './methods.ts'
import type { Tool } from './tool.ts'

export interface AgentContext extends Omit<Calling, 'tools' | 'finders'> {
  about: About
  tools: Tool[]
  /** What a model is told of the workspace before it begins. */
  instructions: (caller: Caller) => Promise<string>
}

/** Messages, with what has to be known before they are answered. */
export interface Work {
  /** What each call of a tool counts as, in their order. */
  buckets: Bucket[]
  /** Whether there is more than calls of tools. */
  hasOthers: boolean
  /** The only message, where it is a call of a read: it may begin while its caller is being admitted. */
  lone: Call | undefined
  /** The status of an answer with a body. */
  status: 200 | 400
  /**
   * @param early the result of the lone read, where it was begun
   * @returns the body; undefined where nothing is to be answered
   */
  answer(admitted: Admitted, within: Within, early?: Promise<string>): Promise<Outgoing | undefined>
}

export interface AgentServer {
  work(framed: Framed): Work
  /** Begins a lone read. */
  begin(lone: Call, caller: Caller, within: Within): Promise<string>
}

export function createAgentServer({ about, tools, instructions, ...context }: AgentContext): AgentServer {
  const calling: Calling = { ...context, tools: new Map(tools.map(tool => [tool.name, tool])), finders: findersOf(tools) }
  const listing = listingOf(tools)

  function work({ isBatch, messages }: Framed): Work {
    const calls = new Map<Message, Call>()
    for (const message of messages) {
      const call = message.kind === 'request' && message.method === 'tools/call' ? callOf(calling.tools, message) : undefined
      if (call) calls.set(message, call)
    }
    const ordered = [...calls.values()]
    const [only] = ordered
    return {
      buckets: ordered.map(bucketOf),
      hasOthers: calls.size < messages.length,
      lone: !isBatch && only?.tool?.scope === 'read' ? only : undefined,
      status: !isBatch && isDiscovery(messages[0]) ? 400 : 200,
      async answer(admitted, within, early) {
        const slots = new Map(ordered.map((call, index) => [call, admitted.slots[index] as Slot]))
        const each = (message: Message): Promise<Outgoing> | undefined => {
          if (message.kind === 'silent') return undefined
          if (message.kind === 'faulty') return Promise.resolve(errorAnswer(null, INVALID_REQUEST, message.why))
          const call = calls.get(message)
          return call ? answerCall(calling, call, admitted, slots.get(call) as Slot, within, early) : other(message, admitted)
        }
        const inOrder = ordered.some(call => call.tool?.scope === 'write')
        const isShared = (message: Message): boolean => !inOrder && sharesStatement(calls.get(message))
        const answers = await throughEach(messages, each, isShared, inOrder ? 1 : MCP_READS_AT_ONCE)
        if (answers.length === 0) return undefined
        return isBatch ? batchOf(answers) : answers[0]
      },
    }
  }

  function other(request: Request, admitted: Admitted): Promise<Outgoing> {
    if (request.method === 'tools/call')
      return Promise.resolve(errorAnswer(request.id, INVALID_PARAMS, 'params must be an object with the tool’s name and its arguments.'))
    return answerMethod(
      about,
      request,
      () => listing(admitted),
      () => instructions(admitted.caller),
    )
  }

  return { work, begin: ({ tool, args }, caller, within) => run(calling, tool as Tool, args, caller, within) }
}

// Clients of 2026-07-28 ask this first, and go down to `initialize` at this status.
const isDiscovery = (message: Message | undefined): boolean => message?.kind === 'request' && message.method === 'server/discover'

// An unknown tool has no bucket of its own: it counts as a read, for it is looked up and perhaps recorded.
const bucketOf = ({ tool }: Call): Bucket => tool?.scope ?? 'read'

/** Whether it reads one thing by its id, together with all such reads of the moment. */
const sharesStatement = (call: Call | undefined): boolean =>
  call?.tool?.finds?.shared === true && Object.hasOwn(Object(call.args), call.tool.finds.argument)

/** The answers, in the order of the messages, where `most` are under way at once, beside those that share a statement. */
async function throughEach(
  messages: Message[],
  each: (message: Message) => Promise<Outgoing> | undefined,
  isShared: (message: Message) => boolean,
  most: number,
): Promise<Outgoing[]> {
  const answers: (Outgoing | undefined)[] = messages.map(() => undefined)
  const waiting: number[] = []
  const answered = async (index: number): Promise<void> => {
    answers[index] = await each(messages[index] as Message)
  }
  const line = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await answered(next)
  }
  const shared: Promise<void>[] = []
  for (const [index, message] of messages.entries()) {
    if (isShared(message)) shared.push(answered(index))
    else waiting.push(index)
  }
  await Promise.all([...shared, ...Array.from({ length: Math.min(most, waiting.length) }, line)])
  return answers.filter(each => each !== undefined)
}
