// What the files of tasks/channels/ call.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import { askNames as ask } from './names.ts'
import { type AnswerContext, answerPresses } from './receiving/answer.ts'
import { renew as renewToken } from './renew.ts'
import { type Signalled, signal as tellPlatform } from './sending/signal.ts'

const platforms = provided<AnswerContext>('asking of platforms')

/** What is asked of platforms beside sending. */
export const providePlatforms = platforms.provide
export const answer = (channel: Ref, queries: string[]): Promise<void> => answerPresses(platforms.get(), channel, queries)
export const signal = (signalled: Signalled): Promise<void> => tellPlatform(platforms.get(), signalled)
export const askNames = (channel: Ref, people: string[]): Promise<void> => ask(platforms.get(), channel, people)
export const renew = (channel: Ref): Promise<void> => renewToken(platforms.get(), channel)

const sending = provided<(channel: Ref) => Promise<void>>('sending of messages')

export const provideSending = sending.provide
export const send = (channel: Ref): Promise<void> => sending.get()(channel)
