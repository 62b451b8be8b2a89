// Who asks: known by the ingress, the command line or a task, and handed to every verb.

export interface Actor {
  type: 'api_key' | 'user' | 'system' | 'cli'
  id?: string
}

export interface Caller {
  tenant: string
  actor: Actor
  traceId?: string
  /** What it does emits no events: an import that was told so. */
  silent?: boolean
}
