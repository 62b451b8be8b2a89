// The caller of a verb: made by the ingress, the command line or a task, and handed to every verb.

export interface Actor {
  /** `assistant`: the one that answers customers. */
  type: 'api_key' | 'agent_key' | 'user' | 'app' | 'assistant' | 'system' | 'cli'
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
  /** The run of a flow by which an app acts. */
  cause?: Cause
}

/** Why an event happened, where a flow's step made it happen. */
export interface Cause {
  /** The run's id. */
  run: string
  /** One more than the depth of the event with which the run began; that of all other events is 0. */
  depth: number
}
