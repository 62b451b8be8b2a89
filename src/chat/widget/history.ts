// Reads the messages of the talk: what is new, and, page by page, what was said before.
import type { ChatMessage, ChatMessages } from '../schema.ts'
import type { Api } from './api.ts'
import type { State } from './state.ts'
import type { Talk } from './talk.ts'

export interface History {
  /** What was said since the last message that is known; the newest where none is. @returns whether the service answered */
  load(): Promise<boolean>
  /** What was said before the first message that is known. */
  goBack(): Promise<void>
  /** Whether it was said before what is read so far: it comes in its place when that is gone back to, and would hide what lies between. */
  isOutOfReach(message: ChatMessage): boolean
  /** Forgets the talk, also what of it is still on its way: another visitor sees nothing of it. */
  clear(): void
}

/** So long after earlier messages came, what comes is new again; and so long it is not asked for more of them. */
const QUIET_MS = 300

/** @param take the messages of `load` */
export function openHistory(
  api: Api,
  talk: Talk,
  state: Readonly<State>,
  show: (more: Partial<State>) => void,
  take: (messages: ChatMessage[]) => void,
): History {
  let cleared = 0
  /** The newest page is there. A message that comes before it does not stand for it. */
  let begun = false
  let goingBack = false
  return { load, goBack, isOutOfReach: message => begun && state.earlier && talk.isBefore(message), clear }

  async function load(): Promise<boolean> {
    for (let more = true; more; ) {
      const [after, before] = [begun ? talk.last() : undefined, cleared]
      const { status, body } = await api.get<ChatMessages>(`messages${after ? `?after=${after}` : ''}`)
      if (status !== 200 || before !== cleared) return status > 0
      take(body.data)
      more = body.has_more && after !== undefined
      if (!begun) begin(body)
      if (!goingBack) show({ loaded: true })
    }
    return true
  }

  function begin({ data: [oldest], has_more }: ChatMessages): void {
    begun = true
    if (has_more && oldest) talk.dropBefore(oldest)
    show({ earlier: has_more })
  }

  async function goBack(): Promise<void> {
    if (!state.earlier || !state.loaded) return
    goingBack = true
    // Until they stand there, nothing is new: it is not spoken.
    show({ loaded: false })
    const before = cleared
    const { status, body } = await api.get<ChatMessages>(`messages?before=${talk.first()}`)
    if (status === 200 && before === cleared) {
      talk.merge(body.data)
      show({ earlier: body.has_more })
    }
    setTimeout(() => {
      goingBack = false
      show({ loaded: true })
    }, QUIET_MS)
  }

  function clear(): void {
    cleared++
    begun = false
    talk.clear()
    show({ earlier: false })
  }
}
