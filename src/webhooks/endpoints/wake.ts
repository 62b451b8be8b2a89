// Wakes endpoints when a change is durable. How they are woken, delivery says; each process hands that over at its start.
import { afterCommit, type Tx } from '../../postgres/sql.ts'

export interface EndpointRef {
  tenant: string
  endpoint: string
}

let wake: (endpoints: EndpointRef[]) => void = () => {}

export function setWake(by: typeof wake): void {
  wake = by
}

/** These endpoints can be sent to: they are woken when that is durable, if anything is due. */
export const wakeAfter = (tx: Tx, endpoints: EndpointRef[]): void => afterCommit(tx, () => wake(endpoints))
