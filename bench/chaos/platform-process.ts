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
  /** Requests that were left without an answer, or with one that says nothing of the message. */
  unanswered: number
  /** Requests that wait for an answer now. */
  open: number
}

const random = seeded(Number(process.argv[2] ?? 1))
const platform = await startPlatform()
let unanswered = 0

const FAULTS: [share: number, behaviour: Behaviour, answers: boolean][] = [
  [0.02, 'take and hang', false],
  [0.02, 'take and reset', false],
  [0.01, 'take and half', false],
  [0.02, 'reset', false],
  [0.02, { status: 502 }, false],
  [0.04, { status: 429, headers: { 'Retry-After': '1' } }, true],
  [0.02, { status: 500 }, true],
]

platform.behave(() => {
  let chance = random.next()
  for (const [share, behaviour, answers] of FAULTS) {
    chance -= share
    if (chance >= 0) continue
    if (!answers) unanswered++
    return behaviour
  }
  return { status: 200, take: true, afterMs: random.between(0, 20) }
})

process.on('message', () => {
  const book = platform.book.map(({ to, text, id, asked }) => ({
    to,
    text: text ?? '',
    id,
    ours: asked.json.biz_opaque_callback_data as string,
  }))
  process.send?.({ book, unanswered, open: platform.open() } satisfies Told)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: platform.origin })
