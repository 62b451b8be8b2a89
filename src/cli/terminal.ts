// One terminal in which lines come while a person types: what comes stands above the line that is being typed, which stays as it was. Long lines go on
// below, indented. Without a terminal each line is a line.
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { whenInterrupted, whenUnread } from './ending.ts'

export interface Terminal {
  isLive: boolean
  print(line: string): void
  /** What is for a person alone: a program that reads the lines does not get it. */
  say(line: string): void
  /**
   * Reads what is typed. Resolves at Ctrl-C, when the lines' reader has left, and where lines are typed, at the end of the input: when all that was typed
   * is dealt with.
   */
  ended(): Promise<void>
}

export interface Opened {
  /** The indent of the rows in which a long line goes on. */
  indent: number
  /** What was typed is gone from the screen when this is called: what becomes of it is to be printed. */
  onLine?: ((line: string) => Promise<void>) | undefined
  input?: NodeJS.ReadableStream
  output?: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
}

const PROMPT = '> '
/** What terminals give 80 columns: narrower ones would leave no room beside the indent. */
const COLUMNS_MIN = 40

export function openTerminal({ indent, onLine, input = process.stdin, output = process.stdout }: Opened): Terminal {
  const isLive = output.isTTY === true
  const columns = (): number => Math.max(COLUMNS_MIN, output.columns ?? COLUMNS_MIN)
  let typing: Interface | undefined
  const unread = whenUnread(output)

  function print(line: string): void {
    const text = isLive ? folded(line, columns(), indent) : line
    if (!typing || !isLive) return void output.write(`${text}\n`)
    moveCursor(output, 0, -typing.getCursorPos().rows)
    wipe(output)
    output.write(`${text}\n`)
    // It draws anew what is being typed, and would look for it where that was before.
    Object.assign(typing, { prevRows: 0 })
    typing.prompt(true)
  }

  function take(line: string): Promise<void> | undefined {
    if (typing && isLive) {
      unsay(output, line, columns())
      typing.prompt()
    }
    return onLine?.(line)
  }

  return {
    isLive,
    print,
    say: line => (isLive ? print(line) : console.error(line)),
    ended() {
      if (onLine) typing = createInterface({ input, prompt: PROMPT, ...(isLive && { output, terminal: true }) })
      return untilEnd(typing, take, AbortSignal.any([whenInterrupted(), unread]))
    },
  }
}

/** @returns the line in rows of so many columns, those behind the first indented */
export function folded(line: string, columns: number, indent: number): string {
  const rows: string[] = []
  let rest = line
  for (let room = columns; ; room = columns - indent) {
    if (rest.length <= room) return [...rows, rest].join(`\n${' '.repeat(indent)}`)
    const space = rest.lastIndexOf(' ', room)
    // A word that is longer than a row is cut.
    const end = space > room / 2 ? space : room
    rows.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
}

/** Takes what was typed from the screen again; what has wide letters stays, for the rows it took are not known. */
function unsay(output: NodeJS.WritableStream, line: string, columns: number): void {
  if (/[^\u0020-\u10ff\u2010-\u2027]/u.test(line)) return
  moveCursor(output, 0, -Math.floor((PROMPT.length + line.length) / columns) - 1)
  wipe(output)
}

function wipe(output: NodeJS.WritableStream): void {
  cursorTo(output, 0)
  clearScreenDown(output)
}

function untilEnd(typing: Interface | undefined, take: (line: string) => Promise<void> | undefined, ending: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let taking = Promise.resolve()
    const end = (): void => {
      typing?.close()
      process.stdin.unref?.()
      taking.then(resolve, reject)
    }
    typing?.on('line', line => {
      taking = taking.then(() => take(line))
      taking.catch(reject)
    })
    typing?.on('close', end).on('SIGINT', end).prompt()
    if (ending.aborted) end()
    ending.addEventListener('abort', end)
  })
}
