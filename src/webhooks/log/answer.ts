// What became of one request, as the log has it, in words.
import type { Json } from '../../cli/output.ts'

/** `204 (44 ms)`, or `timeout: no answer within 10 seconds (10000 ms)`. */
export const answerOf = ({ status, error, duration_ms }: Json): string =>
  `${String(status ?? error).replace(/\.$/, '')} (${duration_ms} ms)`

/** The same for a table: of an error its name alone. */
export const brieflyOf = ({ error, ...attempt }: Json): string => answerOf({ ...attempt, error: String(error).split(':', 1)[0] })
