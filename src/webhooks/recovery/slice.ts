// A slice of a recovery: what it has, and what has become of it so far.
import type { Ref } from '../../ids.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Database } from '../../postgres/sql.ts'
import type { HeldLease } from '../../queue/held-lease.ts'
import type { Slice, SliceContext } from '../../queue/slice.ts'
import type { Trial } from '../../queue/trial.ts'
import type { Keyring } from '../../secrets.ts'
import type { Bodies } from '../delivery/bodies.ts'
import { type Target, targetOf } from '../delivery/target.ts'
import type { Lease } from './run-store.ts'

/** What recovering needs of the process. */
export interface RecoverContext extends SliceContext {
  db: Database
  client: OutboundClient
  keyring: Keyring
  timeoutMs: number
  /** The bodies of large events, shared with live deliveries. */
  bodies: Bodies
}

export interface RecoverySlice extends RecoverContext {
  slice: Slice
  trial: Trial
  ref: Ref
  token: string
  lease: Lease
  endpoint: Ref
  /** The lease of an ordered endpoint, while a request is made to it. */
  heldEndpoint: HeldLease | undefined
  target: Target
  /** When the next event may be sent, by the recovery's own rate: of performance.now(). */
  nextAt: number
  underWay: Set<Promise<void>>
  /** Results recorded so far. */
  done: number
  /** Resolves when the results so far are recorded. */
  recorded: Promise<void>
  /** The recovery was cancelled or has ended, or its lease has lapsed: nothing more is sent. */
  over: boolean
  /** A result could not be had or kept. Later results must not be recorded, or the cursor would pass this one. */
  gap: boolean
  /** How long nothing is sent, where the fault is our own. */
  restMs: number
  bugs: unknown[]
}

export function beginSending(
  context: RecoverContext,
  taken: Pick<RecoverySlice, 'lease' | 'token' | 'slice' | 'ref' | 'trial'>,
): RecoverySlice {
  const { ref, lease } = taken
  const endpoint = { tenant: ref.tenant, id: lease.endpoint }
  return {
    ...context,
    ...taken,
    endpoint,
    heldEndpoint: undefined,
    target: targetOf(context.keyring, endpoint, lease),
    nextAt: 0,
    underWay: new Set(),
    done: 0,
    recorded: Promise.resolve(),
    over: false,
    gap: false,
    restMs: 0,
    bugs: [],
  }
}

export const mayStart = ({ over, gap, slice }: RecoverySlice): boolean => !over && !gap && slice.goesOn()
