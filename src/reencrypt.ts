// Encrypts anew what older keys of SECRET_KEY have encrypted, so that these keys can be removed. Each batch is a transaction of its own: the next run
// goes on where one has stopped.
import { REENCRYPT_BATCH } from './limits/secrets.ts'
import { countOutdated, lockOutdated, type Place, type SealedRow, type SealedTable, saveSealed } from './postgres/sealed.ts'
import { begin, type Sql, type Tx } from './postgres/sql.ts'
import { decrypt, encrypt, type Keyring } from './secrets.ts'

export interface Reencrypted {
  /** The id of the key to encrypt with. */
  key: string
  /** Rows. */
  total: number
  done: number
  /** Rows whose secrets need a key that is not in the ring, or do not decrypt with theirs. */
  left: number
}

/** @param told after each batch */
export async function reencrypt(
  sql: Sql,
  keyring: Keyring,
  tables: SealedTable[],
  told: (progress: Reencrypted) => void,
): Promise<Reencrypted> {
  const progress: Reencrypted = { key: Object.keys(keyring)[0] as string, total: 0, done: 0, left: 0 }
  for (const table of tables) progress.total += await countOutdated(sql, table, progress.key)
  for (const table of tables) {
    const after = (place: Place): Promise<Place | undefined> => begin(sql, tx => next(tx, keyring, table, place, progress))
    for (let place: Place | undefined = { tenant: '', id: '' }; place; ) {
      place = await after(place)
      told(progress)
    }
  }
  return progress
}

/** @returns where the batch ended; undefined when there is nothing more */
async function next(tx: Tx, keyring: Keyring, table: SealedTable, after: Place, progress: Reencrypted): Promise<Place | undefined> {
  const found = await lockOutdated(tx, table, progress.key, after, REENCRYPT_BATCH)
  const renewed = found.map(each => renew(keyring, table, each)).filter(each => each !== undefined)
  if (renewed.length > 0) await saveSealed(tx, table, renewed)
  progress.done += renewed.length
  progress.left += found.length - renewed.length
  return found.at(-1)
}

function renew(keyring: Keyring, { columns }: SealedTable, { tenant, id, sealed }: SealedRow): SealedRow | undefined {
  const again = ([column, text]: [string, string | null]): [string, string | null] => {
    const bound = columns[column]?.(tenant, id) as string
    return [column, text && encrypt(keyring, decrypt(keyring, text, bound), bound)]
  }
  // A secret that does not decrypt must not keep the others from being encrypted anew.
  try {
    return { tenant, id, sealed: Object.fromEntries(Object.entries(sealed).map(again)) }
  } catch {
    return undefined
  }
}
