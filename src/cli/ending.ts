// What ends a command that would go on: Ctrl-C or SIGTERM, and that what reads its lines has left (`| head`).

/** From here on the first of each of these signals is for the command to end by; the second ends the process, as it would have without this. */
export function whenInterrupted(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return ending.signal
}

/** From here on it is no error of the process that its output takes no more: as a rule the reader has closed the pipe. */
export function whenUnread(output: NodeJS.EventEmitter): AbortSignal {
  const ending = new AbortController()
  output.on('error', () => ending.abort())
  return ending.signal
}

/**
 * From here on the process outlives what its output meets. That the reader has left is no error: of several lines it may want the first alone. Any other error, as
 * of a full disk, is told once and makes the exit code 1, for what was to be written may be told this once, as a key is.
 */
export function outlive(output: NodeJS.EventEmitter): void {
  let isTold = false
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isTold) return
    isTold = true
    process.exitCode = 1
    console.error(`The output cannot be written: ${code}.`)
  })
}

/** Ctrl-C, SIGTERM, or that the reader of the output has left. */
export const whenEnded = (output: NodeJS.EventEmitter = process.stdout): AbortSignal =>
  AbortSignal.any([whenInterrupted(), whenUnread(output)])
