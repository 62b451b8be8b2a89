// Encrypts anew what older keys of SECRET_KEY have encrypted, so that these keys can be removed. Each batch is a transaction of its own: the next run
// goes on where one has stopped.
import { REENCRYPT_BATCH } from '../../limits.ts'
import { begin, type Sql, type Tx } from '../../postgres/sql.ts'
import { decrypt, encrypt, type Keyring } from '../../secrets.ts'
import { countOutdated, lockOutdated, type Place, type Sealed, save } from './sealed-store.ts'
import { headersBinding, secretBinding } from './secrets.ts'

export interface Reencrypted {
  /** The id of the key to encrypt with. */
  key: string
  /** Webhooks. */
  total: number
  done: number
  /** Webhooks whose secrets need a key that is not in the ring, or do not decrypt with theirs. */
  left: number
}

/** @param told after each batch */
export async function reencrypt(sql: Sql, keyring: Keyring, told: (progress: Reencrypted) => void): Promise<Reencrypted> {
  const key = Object.keys(keyring)[0] as string
  const progress: Reencrypted = { key, total: await countOutdated(sql, key), done: 0, left: 0 }
  const after = (place: Place): Promise<Place | undefined> => begin(sql, tx => next(tx, keyring, place, progress))
  for (let place: Place | undefined = { tenant: '', id: '' }; place; ) {
    place = await after(place)
    told(progress)
  }
  return progress
}

/** @returns where the batch ended; undefined when there is nothing more */
async function next(tx: Tx, keyring: Keyring, after: Place, progress: Reencrypted): Promise<Place | undefined> {
  const found = await lockOutdated(tx, progress.key, after, REENCRYPT_BATCH)
  const renewed = found.map(each => renew(keyring, each)).filter(each => each !== undefined)
  if (renewed.length > 0) await save(tx, renewed)
  progress.done += renewed.length
  progress.left += found.length - renewed.length
  return found.at(-1)
}

function renew(keyring: Keyring, webhook: Sealed): Sealed | undefined {
  const { tenant, id, secret, previous_secret, headers } = webhook
  const again = (sealed: string, bound: string): string => encrypt(keyring, decrypt(keyring, sealed, bound), bound)
  const bound = secretBinding(tenant, id)
  // A secret that does not decrypt must not keep the others from being encrypted anew.
  try {
    return {
      ...webhook,
      secret: again(secret, bound),
      previous_secret: previous_secret && again(previous_secret, bound),
      headers: headers && again(headers, headersBinding(tenant, id)),
    }
  } catch {
    return undefined
  }
}
