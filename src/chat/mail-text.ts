// The mail that tells a visitor of answers they have not seen, in their language as far as we speak it.
import type { Message } from '../conversations/schema.ts'
import { CHAT_MAIL_CHARS, CHAT_MAIL_MESSAGES } from '../limits/chat.ts'

export interface Links {
  /** Goes on with the talk. */
  resume: string
  /** Ends such mails. */
  stop: string
}

const WORDS = {
  en: {
    subject: (name: string) => `${name} has answered you`,
    file: 'a file',
    more: (count: number) => `… and ${count} more`,
    resume: 'Go on with the talk (the link works once, for 7 days):',
    stop: 'No more of these mails:',
  },
  uk: {
    subject: (name: string) => `${name}: вам відповіли`,
    file: 'файл',
    more: (count: number) => `… і ще ${count}`,
    resume: 'Продовжити розмову (посилання діє один раз, 7 днів):',
    stop: 'Більше не надсилати таких листів:',
  },
}

/** @param name of the shop, as its chat calls itself @param messages the oldest first */
export function mailOf(
  language: string | null,
  name: string,
  messages: Message[],
  { resume, stop }: Links,
): { subject: string; text: string } {
  const words = language?.toLowerCase().startsWith('uk') ? WORDS.uk : WORDS.en
  const shown = messages.slice(0, CHAT_MAIL_MESSAGES)
  const said = shown.map(({ author, text, attachments }) => {
    const parts = [...(text === null ? [] : [cut(text)]), ...attachments.map(each => `[${each.name ?? words.file}]`)]
    return `${author.type === 'operator' && author.name ? `${author.name}: ` : ''}${parts.join('\n')}`
  })
  const rest = messages.length - shown.length
  const lines = [...said, ...(rest > 0 ? [words.more(rest)] : []), `${words.resume}\n${resume}`, `${words.stop}\n${stop}`]
  return { subject: words.subject(name.replaceAll(/\s+/g, ' ').trim()), text: `${lines.join('\n\n')}\n` }
}

const cut = (text: string): string => (text.length <= CHAT_MAIL_CHARS ? text : `${text.slice(0, CHAT_MAIL_CHARS).toWellFormed()}…`)
