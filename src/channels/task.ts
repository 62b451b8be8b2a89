// What the files of tasks/channels/ call.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import { type AnswerContext, answerPresses } from './receiving/answer.ts'

const answering = provided<AnswerContext>('answering of pressed buttons')

export const provideAnswering = answering.provide
export const answer = (channel: Ref, queries: string[]): Promise<void> => answerPresses(answering.get(), channel, queries)

const sending = provided<(channel: Ref) => Promise<void>>('sending of messages')

export const provideSending = sending.provide
export const send = (channel: Ref): Promise<void> => sending.get()(channel)
