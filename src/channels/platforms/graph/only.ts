// What of a callback of Meta's is of one account: an app has one address for all of its accounts.
import { id, type Json, object, objects } from '../value.ts'

/** The same callback without what is of others. @param of whose an entry is, or one of its changes */
export function only(body: Json, account: string): Json {
  const entries = objects(body['entry']).flatMap(entry => {
    if (!Array.isArray(entry['changes']) || entry['messaging'] || entry['standby']) return id(entry['id']) === account ? [entry] : []
    const changes = objects(entry['changes']).filter(change => ofNumber(change) === account || id(entry['id']) === account)
    return changes.length > 0 ? [{ ...entry, changes }] : []
  })
  return { ...body, entry: entries }
}

/** WhatsApp's entries are of a business, whose numbers are told apart change by change. */
const ofNumber = (change: Json): string | undefined => id(object(object(change['value'])?.['metadata'])?.['phone_number_id'])
