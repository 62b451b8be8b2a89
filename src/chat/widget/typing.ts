// That the shop types, as it is shown, and that the visitor does, as the shop is told.
import type { Api } from './api.ts'
import type { State } from './state.ts'

export interface Typing {
  /** The shop types: it is shown until nothing was heard of it for a while. */
  heard(): void
  /** The visitor types: it is told no more often than is of use. */
  tell(): void
}

const SHOWN_MS = 5000
const TOLD_MS = 4000

export function openTyping(api: Api, show: (more: Partial<State>) => void): Typing {
  let shown: ReturnType<typeof setTimeout> | undefined
  let toldAt = 0
  return {
    heard() {
      clearTimeout(shown)
      shown = setTimeout(() => show({ typing: false }), SHOWN_MS)
      show({ typing: true })
    },
    tell() {
      if (Date.now() - toldAt < TOLD_MS) return
      toldAt = Date.now()
      void api.post('typing', {})
    },
  }
}
