// When a channel was last written to, noted once a second at most.
import type { Ref } from '../../ids.ts'
import { INBOUND_NOTED_MS, SOURCES_KNOWN_MAX } from '../../limits/callbacks.ts'
import { gathered } from '../../postgres/side-by-side.ts'
import { afterCommit, ahead, type Tx } from '../../postgres/sql.ts'
import * as store from './store.ts'

/** By performance.now(), of the channels for which this process has noted it lately. */
const noted = new Map<string, number>()

const note = gathered(async (tx: Tx, channels: Ref[]) => {
  await store.noteInbound(tx, channels)
  return channels
})

export function noteInbound(tx: Tx, { tenant, id }: Ref): void {
  const now = performance.now()
  if (now < (noted.get(id) ?? Number.NEGATIVE_INFINITY) + INBOUND_NOTED_MS) return
  ahead(tx, note(tx, { tenant, id }))
  afterCommit(tx, () => {
    if (noted.size >= SOURCES_KNOWN_MAX) noted.clear()
    noted.set(id, now)
  })
}
