// What ends a command that would go on: Ctrl-C or SIGTERM, and that what reads its lines has left (`| head`).

/** From here on the first of each of these signals is for the command to end by; the second ends the process, as it would have without this. */
export function whenInterrupted(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  return ending.signal
}

/** From here on it is no error of the process that the reader of its output has closed the pipe. */
export function whenUnread(output: NodeJS.EventEmitter): AbortSignal {
  const ending = new AbortController()
  output.on('error', () => ending.abort())
  return ending.signal
}

/** Both of these. */
export const whenEnded = (output: NodeJS.EventEmitter = process.stdout): AbortSignal =>
  AbortSignal.any([whenInterrupted(), whenUnread(output)])
