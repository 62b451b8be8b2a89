// The words of a rich message, without its form: https://core.telegram.org/bots/api#richmessage. Bots write them, and customers forward them.
import type { Message, RichMessage } from '@grammyjs/types'
import { type Fields, fields, type Json, object, objects, text } from '../value.ts'

/** @returns undefined where it has none */
export function richText(message: Fields<Message>): string | undefined {
  const blocks = objects(fields<RichMessage>(message.rich_message)?.blocks)
  return text(linesOf(blocks, NESTED_MAX).join('\n').trim())
}

/** How deep blocks, bold words, links and the like may lie within each other. Words that lie deeper are left out. */
const NESTED_MAX = 32

/** What a block says before the blocks within it, and after them. */
const [BEFORE, AFTER] = [
  ['summary', 'text', 'expression'],
  ['caption', 'credit'],
] as const

function linesOf(blocks: Json[], depth: number): string[] {
  if (depth === 0) return []
  return blocks.flatMap(block => {
    const said = (members: readonly string[]): string[] => members.map(each => wordsOf(block[each], depth)).filter(each => each !== '')
    const items = objects(block['items']).map(({ label, blocks: own }) =>
      [text(label), ...linesOf(objects(own), depth - 1)].filter(Boolean).join(' '),
    )
    const rows = Array.isArray(block['cells']) ? block['cells'].map(row => rowOf(objects(row), depth)) : []
    return [...said(BEFORE), ...items, ...rows, ...linesOf(objects(block['blocks']), depth - 1), ...said(AFTER)]
  })
}

const rowOf = (cells: Json[], depth: number): string => cells.map(each => wordsOf(each['text'], depth)).join(' | ')

function wordsOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (depth === 0) return ''
  if (Array.isArray(value)) return value.map(each => wordsOf(each, depth - 1)).join('')
  const part = object(value)
  return part ? wordsOf(part['text'] ?? part['alternative_text'] ?? part['expression'] ?? object(part['button'])?.['text'], depth - 1) : ''
}
