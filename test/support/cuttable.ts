// A way to the database that can be cut, for a file of tests.
import { after } from 'node:test'
import { openWay, type Way } from './way.ts'

export type Cuttable = Way

/** Closed when the file's tests have run. */
export async function cuttable(databaseUrl: string): Promise<Cuttable> {
  const way = await openWay(databaseUrl)
  after(way.close)
  return way
}
