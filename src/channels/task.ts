// What the files of tasks/channels/ call.
import type { Ref } from '../ids.ts'
import type { Sql } from '../postgres/sql.ts'
import { provided } from '../queue/provided.ts'
import { createAsking } from './asking.ts'
import { askNames as ask } from './names.ts'
import { type AnswerContext, answerPresses } from './receiving/answer.ts'
import { queueAnswers, queueNames } from './receiving/store.ts'
import { renew as renewToken } from './renew.ts'
import { queueSignal, type Signalled, signal as tellPlatform } from './sending/signal.ts'

const platforms = provided<{ context: AnswerContext & { sql: Sql }; asking: ReturnType<typeof createAsking> }>('asking of platforms')

/** What is asked of platforms beside sending. @param jobs how many the process runs at once */
export const providePlatforms = (context: AnswerContext & { sql: Sql }, jobs: number): void =>
  platforms.provide({ context, asking: createAsking(jobs) })

export function answer(channel: Ref, queries: string[]): Promise<void> {
  const { context, asking } = platforms.get()
  return asking(channel, {
    ask: () => answerPresses(context, channel, queries),
    again: afterSeconds => queueAnswers(context.sql, channel, queries, afterSeconds),
  })
}

export function signal(signalled: Signalled): Promise<void> {
  const { context, asking } = platforms.get()
  return asking(signalled.channel, {
    ask: () => tellPlatform(context, signalled),
    again: afterSeconds => queueSignal(context.sql, signalled, afterSeconds),
  })
}

export function askNames(channel: Ref, people: string[]): Promise<void> {
  const { context, asking } = platforms.get()
  return asking(channel, {
    ask: () => ask(context, channel, people),
    again: afterSeconds => queueNames(context.sql, channel, people, afterSeconds),
  })
}

export const renew = (channel: Ref): Promise<void> => renewToken(platforms.get().context, channel)

const sending = provided<(channel: Ref) => Promise<void>>('sending of messages')

export const provideSending = sending.provide
export const send = (channel: Ref): Promise<void> => sending.get()(channel)
