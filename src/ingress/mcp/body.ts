// The body of a request as messages.
import { BULK_VALUES_MAX } from '../../limits/bodies.ts'
import { Problem } from '../../problems.ts'
import { giveBack } from '../gather.ts'
import { decoded, openScan, parsed, refuseExcess } from '../json.ts'
import { type Framed, frame, INVALID_REQUEST, PARSE_ERROR } from './messages.ts'

/** @returns with a `refusal` and its `code` where the body is refused as a whole */
export function readMessages(bytes: Buffer = Buffer.alloc(0)): Framed & { code?: number } {
  try {
    // Judged before it is parsed: two bytes of text take up to sixty of memory.
    refuseExcess(openScan(bytes, BULK_VALUES_MAX)(bytes.length), BULK_VALUES_MAX)
    return frame(parsed(decoded(bytes)))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code } = error.members
    const refusal = code === 'too_deep' ? `The body ${error.message}` : error.message
    return { isBatch: false, messages: [], refusal, code: code === 'malformed_json' ? PARSE_ERROR : INVALID_REQUEST }
  } finally {
    giveBack(bytes)
  }
}
