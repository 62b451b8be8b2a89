// What comes of a script.

export const LOG_LEVELS = ['log', 'debug', 'info', 'warn', 'error'] as const

export interface LogLine {
  level: (typeof LOG_LEVELS)[number]
  text: string
}

/** Why a script has no result. */
export interface Fault {
  name: string
  message: string
  /** The script's line, from one, where it is known. */
  line: number | null
}

export interface Outcome {
  /** The result as JSON text, which may be nested deeper than a program reads; undefined where there is a fault. */
  json: string | undefined
  fault: Fault | undefined
  logs: LogLine[]
  logsTruncated: boolean
  durationMs: number
}

export const timedOut = (timeoutMs: number): Fault => ({
  name: 'TimeoutError',
  message: `The script ran for longer than ${timeoutMs} ms; raise timeout_ms, or do less.`,
  line: null,
})
