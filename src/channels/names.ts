// Asks a platform what people are called whose messages came without a name: Messenger's and Instagram's name them by an id alone. Once, when they first
// write; a name that staff has written stays.
import { learn } from '../contacts/learn.ts'
import * as onChannel from '../contacts/on-channel.ts'
import type { Person } from '../contacts/person.ts'
import type { Ref } from '../ids.ts'
import { begin } from '../postgres/sql.ts'
import { findSealed } from './accounts/store.ts'
import { joiningOf, profileOf } from './joining.ts'
import type { RenewContext } from './renew.ts'

const ASKED_AT_ONCE = 10

export async function askNames(context: RenewContext, { tenant, id }: Ref, people: string[]): Promise<void> {
  const row = await findSealed(context.sql, tenant, id)
  if (!row) return
  const joining = joiningOf(tenant, row, context)
  for (let at = 0; at < people.length; at += ASKED_AT_ONCE) {
    const asked = people.slice(at, at + ASKED_AT_ONCE)
    const told = await Promise.all(asked.map(person => profileOf(tenant, joining, person, context)))
    const named = asked.flatMap((person, index): Person[] => (told[index] ? [{ ids: [person], ...told[index] }] : []))
    await begin(context.sql, async tx => {
      const caller = { tenant, actor: { type: 'system' } } as const
      await learn(tx, caller, row, await onChannel.onChannel(tx, caller, row, named))
    })
  }
}
