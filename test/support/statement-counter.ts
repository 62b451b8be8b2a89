// Counts a process's statements on their way to the database: every Execute and every simple Query is one.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { serverOf } from './database.ts'

export interface Counter {
  /** The same database, by way of the counter. */
  url: string
  /** Statements so far, BEGIN and COMMIT included. */
  statements(): number
  /** How often, so far, something was sent on a connection after an answer. */
  roundTrips(): number
  close(): Promise<void>
}

const EXECUTE = 'E'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)
const PARSE = 'P'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)

/**
 * @param onStatement called with the text of each statement, where they have to be told apart
 * @param answersAfterMs how long answers are held back: what is sent without waiting for them is sent by then
 */
export async function openCounter(databaseUrl: string, onStatement?: (text: string) => void, answersAfterMs = 0): Promise<Counter> {
  let statements = 0
  let roundTrips = 0
  const server = createServer({ noDelay: true }, near => {
    const far = connect({ ...serverOf(databaseUrl), noDelay: true })
    near.on(
      'data',
      messageReader(type => (statements += Number(type === EXECUTE || type === QUERY))),
    )
    if (onStatement) near.on('data', textReader(onStatement))
    near.pipe(far)
    let answered = true
    near.on('data', () => {
      roundTrips += Number(answered)
      answered = false
    })
    far.on('data', chunk => {
      const pass = (): void => {
        answered = true
        near.write(chunk)
      }
      if (answersAfterMs > 0) setTimeout(pass, answersAfterMs)
      else pass()
    })
    far.on('end', () => near.end())
    for (const socket of [near, far]) socket.on('error', () => [near, far].map(each => each.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    statements: () => statements,
    roundTrips: () => roundTrips,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

export interface WorkCounter extends Counter {
  /** Statements so far that are sent for work. */
  forWork(): number
  /** Waits while the process has no work, and learns what it sends all the same: beats and sweeps. */
  learnIdleness(): Promise<void>
}

/** What work sends as well: the fetch of jobs, and transactions. */
const OF_BOTH = /^\s*(begin|commit)|j_raw/
/** Some statements come only every two seconds. */
const IDLE_MS = 2_500

/** Counts what a worker sends for its work alone: a busy machine sends the more beats and sweeps beside it, the longer the work takes. */
export async function openWorkCounter(databaseUrl: string): Promise<WorkCounter> {
  const idle = new Set<string>()
  let [isIdle, own] = [false, 0]
  const counter = await openCounter(databaseUrl, text => {
    if (isIdle && !OF_BOTH.test(text)) idle.add(text)
    own += Number(!idle.has(text))
  })
  return {
    ...counter,
    forWork: () => own,
    async learnIdleness() {
      isIdle = true
      await delay(IDLE_MS)
      isIdle = false
    },
  }
}

/** Given bytes as they come, reports the text of each statement that is run. */
function textReader(onStatement: (text: string) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>()
  let bound = ''
  let rest = Buffer.alloc(0) as Buffer
  let typeBytes = 0
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const length = rest.length < typeBytes + 4 ? Number.POSITIVE_INFINITY : rest.readUInt32BE(typeBytes)
      if (rest.length < typeBytes + length) return
      const type = typeBytes === 0 ? undefined : rest[0]
      const [first = '', second = ''] = rest.toString('utf8', typeBytes + 4, typeBytes + length).split('\0', 2)
      if (type === PARSE) prepared.set(first, second)
      else if (type === BIND) bound = prepared.get(second) ?? ''
      else if (type === EXECUTE) onStatement(bound)
      else if (type === QUERY) onStatement(first)
      rest = rest.subarray(typeBytes + length)
      typeBytes = 1
    }
  }
}

/** Given bytes as they come, reports the type of each message. The first of a connection has none; all have a length, which counts itself. */
function messageReader(onMessage: (type: number) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let skip = 0
  let typeBytes = 0
  return chunk => {
    let bytes: Buffer = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const passed = Math.min(skip, bytes.length)
      skip -= passed
      bytes = bytes.subarray(passed)
      if (skip > 0 || bytes.length < typeBytes + 4) break
      if (typeBytes > 0) onMessage(bytes[0] as number)
      skip = typeBytes + bytes.readUInt32BE(typeBytes)
      typeBytes = 1
    }
    rest = Buffer.from(bytes)
  }
}
