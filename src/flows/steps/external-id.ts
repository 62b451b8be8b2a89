// The external_id of a record, as a flow renders it.
import { isBlank } from '../../blank.ts'
import { EXTERNAL_ID_CHARS } from '../../limits/fields.ts'
import { invalid } from '../../problems.ts'

/**
 * All events whose templates lead to nothing would share a blank one, and so one record.
 * @throws {Problem} 422 for one that REST would not take, or that holds nothing to be seen
 */
export function refuseUnfit(external_id: string): void {
  const field = 'external_id'
  if (isBlank(external_id)) throw invalid({ field, code: 'blank', message: 'holds nothing that can be seen once it is rendered.' })
  const count = [...external_id].length
  if (count > EXTERNAL_ID_CHARS)
    throw invalid({ field, code: 'too_long', message: `has ${count} characters once it is rendered; it may have ${EXTERNAL_ID_CHARS}.` })
}
