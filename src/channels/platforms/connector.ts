// How an account of a platform is joined to a channel: who it is, and where its callbacks go.
import type { Asked, Told } from './ask.ts'
import type { Credentials } from './platform.ts'

export interface Joined extends Asked {
  /** The account's id on the platform, where the caller gave it. */
  account: string | null
  /** WhatsApp's business account. */
  waba?: string
}

export interface Identity {
  id: string
  name: string | null
}

export interface Profile {
  name?: string
  handle?: string
}

export interface Callback {
  url: string
  credentials: Credentials
  /** What a person is told once, for it was made just now. */
  made?: Pick<Credentials, 'verify_token'>
}

export interface Connector {
  /** Whose the token is. */
  who(joined: Joined): Promise<Told<Identity>>
  /** Has the platform send callbacks to this address. Undefined: it can be clicked alone. */
  register(joined: Joined, callback: Callback): Promise<Told<true>> | undefined
  /** Has it send none to this address any more, and leaves the account alone where it sends them elsewhere. Undefined: it can be clicked alone. */
  unregister?(joined: Joined, callback: Callback): Promise<Told<true>>
  /** What the platform says about the registration that a person should know; empty: all is well. @param connect the command that registers anew */
  check?(joined: Joined, callback: Callback, connect: string): Promise<string[]>
  /** What a person is called, where callbacks do not tell it. */
  profile?(joined: Joined, person: string): Promise<Told<Profile>>
  /** Another token for one that would end. Undefined: its tokens last. */
  renewToken?(joined: Joined): Promise<Told<string>>
  /** What is to be clicked by a person, a line each, after all that could be registered. */
  byHand(callback: Callback, registered: boolean): string[]
  /** The same after the channel was deleted. */
  byHandAfter?(callback: Callback): string[]
}
