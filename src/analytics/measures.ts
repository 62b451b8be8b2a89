// What is counted of a quarter hour, in the names of the columns.
import { STATUSES, type Status } from '../orders/lifecycle.ts'

/** The column of orders that are in a status. */
export const columnOf = (status: Status) => status.toLowerCase() as Lowercase<Status>

/**
 * Orders by their status; their totals, unless they are cancelled; money that came and that went back, in minor units; conversations that began, messages of
 * customers and of the assistant, takeovers by people, and escalations.
 */
export const MEASURES = [
  ...STATUSES.map(columnOf),
  'total',
  'paid',
  'given_back',
  'started',
  'inbound',
  'ai_replies',
  'takeovers',
  'escalations',
] as const

export type Measure = (typeof MEASURES)[number]
export type Counts = Partial<Record<Measure, number>>
