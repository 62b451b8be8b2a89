// A database with one table, `things`, and a way to catch what a statement throws.
import assert from 'node:assert/strict'
import { connectedDatabase } from '../support/database.ts'

export async function thingsDatabase() {
  const connected = await connectedDatabase({ lanes: 4, pool: 3 })
  await connected.sql`create table things (id int primary key)`
  return connected
}

export const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

/** @returns the error, which there must be */
export const thrown = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => assert.fail('nothing was thrown'),
    error => error,
  )
