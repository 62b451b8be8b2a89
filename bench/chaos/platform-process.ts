// WhatsApp as far as sending goes, in a process of its own: it answers as it is told by chance, and keeps a book of what it took.

import { type Behaviour, startPlatform } from '../../test/support/platform.ts'
import { seeded } from '../../test/support/random.ts'

/** What of a message the book has. */
export interface Entry {
  to: string
  text: string
  /** The platform's id, and ours. */
  id: string
  ours: string
}

export interface Told {
  book: Entry[]
  /** Our ids of messages whose requests were left without an answer, or with one that says nothing of the message. */
  unanswered: string[]
  /** Every request to send a message: our id, and when it came, in milliseconds since 1970. */
  asked: { ours: string; at: number }[]
}

const random = seeded(Number(process.argv[2] ?? 1))
const platform = await startPlatform()
const unanswered: string[] = []

const FAULTS: [share: number, behaviour: Behaviour, answers: boolean][] = [
  [0.02, 'take and hang', false],
  [0.02, 'take and reset', false],
  [0.01, 'take and half', false],
  [0.02, 'reset', false],
  [0.02, { status: 502 }, false],
  [0.04, { status: 429, headers: { 'Retry-After': '1' } }, true],
  [0.02, { status: 500 }, true],
]
/** Long enough for a kill to come between request and answer. */
const ANSWER_MS = 100

platform.behave(asked => {
  let chance = random.next()
  for (const [share, behaviour, answers] of FAULTS) {
    chance -= share
    if (chance >= 0) continue
    if (!answers) unanswered.push(oursOf(asked))
    return behaviour
  }
  return { status: 200, take: true, afterMs: random.between(0, ANSWER_MS) }
})

// biome-ignore lint/suspicious/noExplicitAny: as in startPlatform
const oursOf = ({ json }: { json: any }): string => json.biz_opaque_callback_data

process.on('message', () => {
  const book = platform.book.map(({ to, text, id, asked }) => ({ to, text: text ?? '', id, ours: oursOf(asked) }))
  const asked = platform.messages().map(each => ({ ours: oursOf(each), at: each.at }))
  process.send?.({ book, unanswered, asked } satisfies Told)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: platform.origin })
