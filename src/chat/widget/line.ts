// The line of a browser to the service, which one of its tabs holds: what is said comes in, what is written goes out.
import type { ChatMessage } from '../schema.ts'
import type { Api } from './api.ts'
import { deliver } from './deliver.ts'
import { listen } from './listen.ts'
import type { Outbox, Waiting } from './outbox.ts'
import type { Store } from './storage.ts'
import type { Talk } from './talk.ts'
import { note, visitorOf } from './visitor.ts'
import type { Waker } from './waker.ts'

/** What tabs tell each other. */
export type Told = { message: ChatMessage } | { online: boolean } | { typing: true } | { reset: true }

export interface Line {
  api: Api
  store: Store
  outbox: Outbox
  talk: Talk
  waker: Waker
  /** Tells this tab and the others. */
  pass(told: Told): void
  load(): Promise<boolean>
  /** The talk is to be read anew. */
  clear(): void
  /** The token is refused. Resolves when there is another. */
  refused(): Promise<unknown>
  /** There is no such channel any more. */
  gone(): void
}

/** Until it is ended. */
export async function run({ api, store, outbox, talk, waker, pass, load, clear, refused, gone }: Line, ended: AbortSignal): Promise<void> {
  const ears = {
    opened() {
      pass({ online: true })
      void load()
      waker.wake()
    },
    lost: () => pass({ online: false }),
    async ask() {
      pass({ online: await load() })
    },
    message: (message: ChatMessage) => pass({ message }),
    typing: () => pass({ typing: true }),
    reset() {
      clear()
      pass({ reset: true })
    },
    refused,
    gone,
  }
  const sender = {
    untold() {
      const visitor = visitorOf(store)
      return visitor?.told ? undefined : visitor?.email
    },
    untoldSeen() {
      const { seen, seenTold } = visitorOf(store) ?? {}
      return seen === seenTold ? undefined : seen
    },
    toldSeen: (seen: string) => note(store, { seenTold: seen }),
    kept(waiting: Waiting) {
      const { body } = waiting
      note(store, { talking: true, ...(body.email && { told: true }) })
      const stands = talk.messages().some(each => each.own_id === body.id)
      if (stands || !(body.text || body.attachments)) outbox.remove(body.id)
      else outbox.set(waiting, 'kept')
    },
    refused,
    gone,
  }
  await Promise.all([listen(api, ears, waker, ended), deliver(api, outbox, sender, waker, ended)])
}
