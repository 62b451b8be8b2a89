// The caller of a verb: made by the ingress, the command line or a task, and handed to every verb.

export interface Actor {
  /** `assistant`: the one that answers customers. */
  type: 'api_key' | 'agent_key' | 'user' | 'assistant' | 'system' | 'cli'
  id?: string
}

export interface Caller {
  tenant: string
  actor: Actor
  traceId?: string
  /** By which an AI client acts for the person. */
  grant?: string
  /** Its changes emit no events: an import with that option. */
  silent?: boolean
}
