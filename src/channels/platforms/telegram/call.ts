// A question to Telegram's Bot API: https://core.telegram.org/bots/api#making-requests
import { type Asked, ask, type Question, type Told } from '../ask.ts'
import { type Json, text } from '../value.ts'

/** The `result` of a method; a bot's token is a part of the path. */
export async function call(bot: Asked, method: string, body?: Json): Promise<Told> {
  const question: Question = { path: `/bot${bot.token}/${method}`, ...(body && { body }) }
  const told = await ask(bot, question, json => (json['ok'] === true ? undefined : (text(json['description']) ?? 'no reason is given')))
  if (told.refused !== undefined) return told
  const { result } = told.value
  return { value: typeof result === 'object' && result !== null ? (result as Json) : {} }
}
