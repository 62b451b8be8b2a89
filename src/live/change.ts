// What those who watch are told.

/** A conversation that is not as it was, or one of its messages. */
export interface Changed {
  conversation: string
  message?: string
}

/** Who writes just now. It is kept nowhere: streams that are open show it until `until`. */
export interface Typing {
  conversation_id: string
  by: 'customer' | 'operator'
  /** ISO 8601. */
  until: string
}
