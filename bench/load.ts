// The load: keep-alive connections, each with one request under way, as lean as Node can be, for it shares the cores with the measured processes.
// It reads no more of an answer than its status and its length; where a refusal may be a success of HTTP, it looks for that as well.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The figures of one round. */
export interface Round {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** Puts a contender under load for about `ms` and says how it did. Rejects when an answer was not 2xx. */
export type Contender = (ms: number) => Promise<Round>

/** The beginning of a round that does not count: connections open, caches warm up. */
const RAMP_MS = 300

/**
 * @param requests taken in turn, also across rounds, so that no key is used more than another; or made for each turn
 * @param refusal a text that only refused answers hold: one ends the round, as a status does that is no success
 */
export function httpLoad(
  address: string,
  requests: Buffer[] | ((turn: number) => Buffer),
  connections: number,
  { refusal }: { refusal?: string } = {},
): Contender {
  const { hostname, port } = new URL(address)
  const make = typeof requests === 'function' ? requests : (at: number): Buffer => requests[at % requests.length] as Buffer
  let turn = 0
  return async ms => {
    const meter = startMeter(ms)
    const next = (): Buffer | undefined => (meter.over() ? undefined : make(turn++))
    await Promise.all(Array.from({ length: connections }, () => converse(hostname, Number(port), next, { count: meter.count, refusal })))
    return meter.round()
  }
}

/** The same for work that is not HTTP: `lanes` loops, each with one call under way. */
export function directLoad(work: (turn: number) => Promise<unknown>, lanes: number): Contender {
  let turn = 0
  return async ms => {
    const meter = startMeter(ms)
    const loop = async (): Promise<void> => {
      while (!meter.over()) {
        const began = performance.now()
        await work(turn++)
        meter.count(began)
      }
    }
    await Promise.all(Array.from({ length: lanes }, loop))
    return meter.round()
  }
}

function startMeter(ms: number) {
  const from = performance.now() + RAMP_MS
  const until = from + ms
  const took: number[] = []
  return {
    over: () => performance.now() >= until,
    count(began: number): void {
      const now = performance.now()
      if (now >= from && now < until) took.push(now - began)
    },
    round(): Round {
      const sorted = Float64Array.from(took).sort()
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
      return { perSecond: (took.length / ms) * 1000, p50: at(0.5), p99: at(0.99) }
    },
  }
}

interface Reading {
  count: (began: number) => void
  refusal: string | undefined
}

async function converse(host: string, port: number, next: () => Buffer | undefined, { count, refusal }: Reading): Promise<void> {
  let began = 0
  const answers = answerReader(refusal === undefined ? undefined : Buffer.from(refusal))
  const socket: Socket = connect({
    host,
    port,
    noDelay: true,
    onread: {
      // Read into one buffer for ever: a page is 50 KB, and allocating for each would be most of the generator's work.
      buffer: Buffer.allocUnsafe(65_536),
      callback(bytes, buffer) {
        try {
          if (answers(buffer as Buffer, bytes)) {
            count(began)
            ask()
          }
        } catch (error) {
          socket.destroy(error as Error)
        }
        return true
      },
    },
  })
  const ask = (): void => {
    const request = next()
    if (!request) return void socket.end()
    began = performance.now()
    socket.write(request)
  }
  let finished = false
  socket.on('connect', ask)
  socket.on('end', () => {
    finished = true
  })
  await once(socket, 'close')
  if (!finished && !socket.writableEnded) throw new Error(`${host}:${port} closed a connection under load`)
}

const HEAD_END = Buffer.from('\r\n\r\n')

// Given bytes as they come, reports when an answer is complete. One answer at a time, always with a Content-Length.
function answerReader(refusal?: Buffer): (buffer: Buffer, bytes: number) => boolean {
  let head = ''
  let left = 0
  return (buffer, bytes) => {
    // A refusal is short, and comes in one piece.
    if (refusal?.length && buffer.subarray(0, bytes).includes(refusal))
      throw new Error(`an answer under load was a refusal:\n${buffer.toString('utf8', 0, Math.min(bytes, 2_000))}`)
    if (left > 0) {
      left -= bytes
      return left === 0
    }
    const chunk = buffer.subarray(0, bytes)
    const end = chunk.indexOf(HEAD_END)
    head += chunk.toString('latin1', 0, end === -1 ? bytes : end)
    if (end === -1) return false
    const status = head.slice(9, 12)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (!status.startsWith('2') || Number.isNaN(length)) throw new Error(`an answer under load was not a success:\n${head}`)
    head = ''
    left = length - (bytes - end - HEAD_END.length)
    return left === 0
  }
}
