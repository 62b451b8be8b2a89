// Days in blocks: what was sold of a product is kept by the day and by the block, so a month is read as six rows or ten, and not as thirty. Pure.
import { BLOCK_DAYS } from '../limits/analytics.ts'

const DAY_MS = 86_400_000
/** A block begins on this day. */
const BEGIN = Date.parse('2000-01-01')

/** The first day of the block that has this one. @param date as the calendar says: 2026-11-23 */
export function blockOf(date: string): string {
  const days = Math.floor((Date.parse(date) - BEGIN) / DAY_MS)
  return dateOf(BEGIN + Math.floor(days / BLOCK_DAYS) * BLOCK_DAYS * DAY_MS)
}

/** The first day of the block after that. */
export const nextBlock = (block: string): string => after(block, BLOCK_DAYS)

/**
 * The part of these days that is whole blocks.
 * @param last the last of them
 * @returns the first day of that part, and the first one behind it: the very same where no block is whole
 */
export function wholeBlocks(first: string, last: string): { from: string; to: string } {
  const from = blockOf(after(first, BLOCK_DAYS - 1))
  const to = blockOf(after(last, 1))
  return from < to ? { from, to } : { from: first, to: first }
}

const after = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY_MS)
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
