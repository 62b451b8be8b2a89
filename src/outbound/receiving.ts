// The half of an exchange that receives: interim answers, status, headers and body, each within its limit. A class that the exchange is made of, rather than
// an object beside it: see exchange.ts.
import type { Dispatcher } from 'undici'
import { type Host, type Intake, intakeOf } from './intake.ts'
import type { Answer, Failure, NoAnswer, Outcome } from './outcome.ts'
import type { OutboundRequest, PostRequest } from './request.ts'

export type AnyRequest = OutboundRequest & Partial<PostRequest>
export type Ended = Omit<Answer, 'timings'> | Omit<NoAnswer, 'timings'>

/** How much an answer may hold beside the kept part of its body: interim answers, status line, headers, and the sizes and extensions of chunks. */
const FRAMING_BYTES = 64 * 1024
/** A file of many small chunks has more framing: this share of its size besides. */
const FRAMING_SHARE = 1 / 8
/** Interim answers of one request. An honest server sends one or two: 102 Processing, 103 Early Hints. */
const INTERIM_MAX = 20

/** How many bytes the whole answer may have. */
export const answerBytes = ({ taker, keepResponseBytes }: OutboundRequest): number =>
  FRAMING_BYTES + (taker ? Math.max(keepResponseBytes, taker.maxBytes * (1 + FRAMING_SHARE)) : keepResponseBytes)

export abstract class Receiving implements Host {
  protected readonly request: AnyRequest
  /** The outcome is known. */
  protected settled = false
  /** 0 until the headers of the answer have come. */
  protected status = 0
  #interim = 0
  #headers: Answer['headers'] = {}
  #body: Buffer[] | undefined = undefined
  #size = 0
  #intake: Intake | undefined = undefined

  constructor(request: AnyRequest) {
    this.request = request
  }

  abstract fail(error: Failure, message: string): void
  abstract rest(ms: number | undefined): void
  protected abstract settle(result: Ended): void

  tooLarge(): void {
    this.settle(this.answer('size'))
  }

  untaken(): void {
    this.fail('aborted', 'The answer could not be taken.')
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Answer['headers']): void {
    // 1xx: the final answer is still to come.
    if (status < 200) {
      if (++this.#interim > INTERIM_MAX) this.fail('flood', `More than ${INTERIM_MAX} interim answers (1xx) came before the answer.`)
      return
    }
    this.status = status
    this.#headers = headers
    this.#intake = intakeOf(this.request.taker, status, headers, this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#intake) {
      if (!this.settled) this.#intake.add(chunk, controller)
      return
    }
    this.#body ??= []
    this.#body.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.request.keepResponseBytes) this.settle(this.answer('size'))
  }

  /** What has come of the answer so far. */
  protected answer(truncated: Answer['truncated']): Omit<Answer, 'timings'> {
    const body = this.#body ? Buffer.concat(this.#body).toString('utf8', 0, this.request.keepResponseBytes) : ''
    return { status: this.status, headers: this.#headers, body, truncated }
  }

  /** Tells the outcome once the taker, where there is one, is done with the last piece. */
  protected takenWhole(outcome: Outcome, tell: (outcome: Outcome) => void): void {
    if (this.#intake) void this.#intake.outcome(outcome).then(tell)
    else tell(outcome)
  }
}
