// What of the chat is shown: its state, drawn once for all changes of a moment.
import type { Outbox } from './outbox.ts'
import type { State } from './state.ts'
import type { Store } from './storage.ts'
import type { Talk } from './talk.ts'
import type { Uploads } from './upload.ts'
import { note, visitorOf } from './visitor.ts'
import type { Waker } from './waker.ts'

export interface Parts {
  store: Store
  waker: Waker
  outbox: Outbox
  talk: Talk
  uploads: Uploads
}

/** @param draw is called after each change @returns changes the state */
export function openShown(state: State, { store, waker, outbox, talk, uploads }: Parts, draw: (state: State) => void) {
  let drawing = false

  // What stands on an open panel of a visible page was seen.
  function lookAt(seen: string | undefined): void {
    const said = state.messages.filter(each => each.from === 'shop')
    const last = said.at(-1)
    state.unread = said.length - 1 - said.findIndex(each => each.id === seen)
    if (!last || state.unread === 0 || !state.open || document.hidden) return
    state.unread = 0
    note(store, { seen: last.id })
    // Whichever tab sends what is written tells of it.
    waker.wake()
  }

  function drawAll(): void {
    drawing = false
    const visitor = visitorOf(store)
    state.messages = talk.messages()
    const shown = new Set(state.messages.map(each => each.own_id))
    state.waiting = outbox.all().filter(({ body }) => (body.text || body.attachments) && !shown.has(body.id))
    state.uploads = uploads.all()
    state.hasEmail = Boolean(state.session?.has_email || visitor?.email)
    lookAt(visitor?.seen)
    draw(state)
  }

  return (more: Partial<State>): void => {
    Object.assign(state, more)
    if (drawing) return
    drawing = true
    queueMicrotask(drawAll)
  }
}
