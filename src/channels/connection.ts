// Whether a channel's platform and this service know of each other: asked, and put right.
import type { Caller } from '../caller.ts'
import { OperatorError } from '../errors.ts'
import { audit } from '../postgres/audit.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { type FieldError, Problem } from '../problems.ts'
import { type ChannelContext, joinedOf, joiningOf, type Registered, register, whoIs } from './joining.ts'
import { known } from './known.ts'
import { snippetOf } from './snippet.ts'

/** Has the platform send callbacks here, once more. */
export async function connect(sql: Sql, caller: Caller, id: string, context: ChannelContext): Promise<Registered> {
  const row = await known(sql, caller, id)
  if (row.platform === 'web') throw new OperatorError(`A web chat has no callbacks; its pages need ${snippetOf(context.shown.baseUrl, id)}`)
  const registered = await register(caller.tenant, id, joiningOf(caller.tenant, row, context), context)
  await begin(sql, tx => audit(tx, caller, 'channel.connect', id))
  return registered
}

export interface Checked {
  account: { id: string | null; name: string | null }
  /** What is wrong, a sentence each; empty: all is well. */
  problems: string[]
}

/** Asks the platform who the account is, and where its callbacks go. Changes nothing but the account's name. */
export async function check(sql: Sql, caller: Caller, id: string, context: ChannelContext): Promise<Checked> {
  const row = await known(sql, caller, id)
  const joining = joiningOf(caller.tenant, row, context)
  const before = { id: row.account_id, name: row.account_name }
  try {
    const account = await whoIs(caller.tenant, joining, context)
    if (account && row.account_id !== null && account.id !== row.account_id)
      return {
        account,
        problems: [`The token is of another account, ${account.id}, and not of ${row.account_id}; give the right one with channel update.`],
      }
    return { account: account ?? before, problems: await joinedOf(caller.tenant, id, joining, context) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { account: before, problems: [wordsOf(error)] }
  }
}

const wordsOf = (problem: Problem): string => (problem.members['errors'] as FieldError[] | undefined)?.[0]?.message ?? problem.message
