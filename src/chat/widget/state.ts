// What the chat of a page knows and what can be done with it, as its view sees both.
import type { ChatMessage, Session } from '../schema.ts'
import type { Waiting } from './outbox.ts'
import type { Link } from './page.ts'
import type { Upload } from './upload.ts'
import type { Introduction } from './visitor.ts'

export interface State {
  /** Undefined until the service has answered. */
  session: Session | undefined
  unavailable: boolean
  open: boolean
  /** How often the visitor has opened the panel to write. */
  entered: number
  /** Undefined until it is known. */
  online: boolean | undefined
  typing: boolean
  /** The messages so far are there: what comes now is new. */
  loaded: boolean
  /** There are messages before those. */
  earlier: boolean
  messages: ChatMessage[]
  waiting: Waiting[]
  uploads: Upload[]
  unread: number
  /** An address is known, or was left: none is asked for. */
  hasEmail: boolean
  /** The visitor has just left an address. */
  thanked: boolean
  notice: string | undefined
  /** A mail's link, which goes on with another talk once the visitor presses its button: programs that look at mails open links too, and run their pages. */
  link: Link | undefined
}

export interface Chat {
  /** @param by `open`: as it was on the page before, where the visitor is not to be taken away from what they do */
  start(by: Pick<Introduction, 'identity'> & { link: Link | undefined; open: boolean }): Promise<void>
  /** Goes on with the talk of the mail's link. */
  goOn(): Promise<void>
  open(): void
  close(): void
  /** Reads what was said before the messages that are there. */
  goBack(): Promise<void>
  say(text: string): void
  choose(choice: { id: string; title: string }): void
  attach(files: Iterable<File>): void
  again(what: Waiting | Upload): void
  discard(what: Waiting | Upload): void
  leaveEmail(address: string): void
  typed(): void
  identify(identity: string): Promise<void>
  forget(): Promise<void>
}

export const nothingYet = (): State => ({
  session: undefined,
  unavailable: false,
  open: false,
  entered: 0,
  online: undefined,
  typing: false,
  loaded: false,
  earlier: false,
  messages: [],
  waiting: [],
  uploads: [],
  unread: 0,
  hasEmail: false,
  thanked: false,
  notice: undefined,
  link: undefined,
})
