import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { whenEnded } from '../../src/cli/ending.ts'
import { folded, openTerminal } from '../../src/cli/terminal.ts'
import { watch } from '../../src/cli/watch.ts'
import { eventually } from '../support/eventually.ts'

/** What a terminal of so many columns shows. Of its controls it knows those that are used. */
function screen(columns: number) {
  const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 40 })
  const rows: string[][] = [[]]
  let [row, column] = [0, 0]
  const put = (letter: string): void => {
    if (column === columns) [row, column] = [row + 1, 0]
    const line = rows[row] ?? []
    rows[row] = line
    while (line.length < column) line.push(' ')
    line[column++] = letter
  }
  output.setEncoding('utf8').on('data', (text: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what moves a terminal's cursor
    for (const [all, count, control] of text.matchAll(/\u001b\[(\d*)([A-K])|[\s\S]/gu)) {
      const by = Number(count || 1)
      if (control === 'A') row = Math.max(0, row - by)
      else if (control === 'B') row += by
      else if (control === 'C') column += by
      else if (control === 'D') column = Math.max(0, column - by)
      else if (control === 'G') column = by - 1
      else if (control === 'J' || control === 'K') rows.splice(row, rows.length, (rows[row] ?? []).slice(0, column))
      else if (all === '\n') [row, column] = [row + 1, 0]
      else if (all === '\r') column = 0
      else put(all)
    }
  })
  return { output, shown: () => Array.from(rows, line => (line ?? []).join('').trimEnd()) }
}

test('a long line goes on below, indented, and is broken between words', () => {
  assert.equal(folded('11:57:26  Ada: one two three four', 24, 10), '11:57:26  Ada: one two\n          three four')
  assert.equal(folded(`x ${'y'.repeat(40)}`, 20, 2), `x ${'y'.repeat(18)}\n  ${'y'.repeat(18)}\n  ${'y'.repeat(4)}`)
  assert.equal(folded('short', 20, 2), 'short')
})

test('what comes stands above the line that is being typed, however long that is; what was typed makes way for what became of it', async () => {
  const { output, shown } = screen(40)
  const input = new PassThrough()
  const taken: string[] = []
  const terminal = openTerminal({ indent: 2, input, output, onLine: async line => void taken.push(line) })
  const ended = terminal.ended()
  terminal.print('First')
  const typed = 'This goes on for more than forty columns, so it takes two rows'
  input.write(typed)
  await eventually(async () => shown().join('').includes('two rows'))
  terminal.print('Second')
  assert.deepEqual(shown(), ['First', 'Second', `> ${typed.slice(0, 38)}`, typed.slice(38)])
  input.write('!\r')
  await eventually(async () => taken.length === 1)
  terminal.print('Sent')
  assert.deepEqual(taken, [`${typed}!`])
  assert.deepEqual(shown(), ['First', 'Second', 'Sent', '>'])
  input.write('\u0003')
  await ended
})

test('without a terminal lines are as they are, and lines that are typed at once are all dealt with before the end', async () => {
  const output = new PassThrough()
  const input = new PassThrough()
  const taken: string[] = []
  const terminal = openTerminal({ indent: 2, input, output, onLine: async line => void taken.push(line) })
  terminal.print('x'.repeat(200))
  input.end('One\nTwo\nThree')
  await terminal.ended()
  assert.deepEqual(taken, ['One', 'Two', 'Three'])
  assert.equal(output.read().toString(), `${'x'.repeat(200)}\n`)
})

test('it ends when the reader of its lines has left', async () => {
  const output = new PassThrough()
  const terminal = openTerminal({ indent: 4, output })
  const ended = terminal.ended()
  output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  await ended
  terminal.print('no longer read')
})

test('what is watched ends when the reader of its lines has left', async () => {
  const output = new PassThrough()
  let looks = 0
  const look = async () => {
    looks++
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    return false
  }
  await watch(look, 1, whenEnded(output))
  assert.equal(looks, 1)
})
