// A fault that an experiment brings about.

/** Of a process or the database. A request or its record may have been lost between its two times. Milliseconds since 1970. */
export interface Fault {
  kind: 'kill' | 'restart' | 'spell' | 'cut'
  from: number
  until: number
  /** The killed worker's. */
  pid?: number
  /** The webhooks that it was sending to. */
  held?: string[]
  /** The webhooks that waited in the memory of a worker then, of the killed one or of another. */
  waiting?: Waiting[]
  /** The process counted as running on another machine. */
  elsewhere?: boolean
}

export interface Waiting {
  id: string
  /** When it was queued, by which it is told whether it still stands where it stood. */
  mark: number
}

/** Whether a kill may have hit a request to the webhook: only if the killed worker served it. */
export const wasHit = ({ held }: Fault, webhook: string | undefined): boolean => webhook !== undefined && held?.includes(webhook) === true
