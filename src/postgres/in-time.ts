// No statement is waited for for ever. The database ends each in time; what this catches is a statement lost with its connection, of which
// the driver never says a word.
import { REQUEST_LIMIT_MS } from '../limits.ts'

/** @throws {Error} code CONNECTION_SILENT (see isUnavailable), when `work` has not settled in time */
export function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = () => reject(Object.assign(new Error('the database did not answer in time'), { code: 'CONNECTION_SILENT' }))
  const timer = setTimeout(late, REQUEST_LIMIT_MS)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
