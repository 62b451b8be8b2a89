// WhatsApp as far as sending goes, in a process of its own: accounts whose id begins with `hang` are never answered, all others at once.

import { startPlatform } from '../../test/support/platform.ts'

export interface Arrived {
  /** The texts of what the answering accounts were asked to send, and when, in milliseconds since 1970. */
  taken: { text: string; at: number }[]
  /** Requests that wait for an answer now. */
  open: number
}

const platform = await startPlatform()

platform.behave(({ path }) => (path.split('/').at(-2)?.startsWith('hang') ? 'hang' : 'take'))

process.on('message', since => {
  const taken = platform.book
    .filter(({ asked }) => asked.at >= Number(since))
    .map(({ text, asked }) => ({ text: text ?? '', at: asked.at }))
  process.send?.({ taken, open: platform.open() } satisfies Arrived)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: platform.origin })
