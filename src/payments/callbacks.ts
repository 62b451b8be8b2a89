// What providers tell, as a kind of callback: who signed it, what it speaks of, and what it changes.
import type { Kind } from '../callbacks/kind.ts'
import type { Ref } from '../ids.ts'
import { validate } from '../ingress/validate.ts'
import type { Tx } from '../postgres/sql.ts'
import type { Keyring } from '../secrets.ts'
import { applyAll, type Outcome } from './ledger/apply.ts'
import { lockKind } from './providers/providers.ts'
import type { ProviderKind } from './providers/schema.ts'
import { isSigned, open } from './providers/secrets.ts'
import { ofIds, type Verifying } from './providers/store.ts'
import { readGeneric } from './reading/generic.ts'
import { GenericEvent } from './reading/generic-schema.ts'
import { isStripe, readStripe } from './reading/stripe.ts'
import type { Ignored, PaymentUpdate } from './reading/update.ts'

interface Source extends Ref {
  provider: ProviderKind
  secrets: string[]
}

export const paymentKind = (keyring: Keyring): Kind<Source> => ({
  name: 'payment',
  prefix: 'pay',
  path: '/api/payments/{id}/callback',
  find: async (sql, ids) => (await ofIds(sql, ids)).map(row => ({ ...row, secrets: opened(keyring, row) })),
  verify: ({ provider, secrets }, signed, now) => isSigned(provider, secrets, signed, now),
  check({ provider }, value) {
    if (provider === 'generic') validate(GenericEvent, value)
  },
  threads(value) {
    const update = read(isStripe(value) ? 'stripe' : 'generic', value, new Date(0))
    const thread = update.kind === 'ignored' ? null : (update.reference ?? update.charge)
    return thread === null ? [] : [thread]
  },
  async apply(tx, caller, source, callbacks) {
    const provider = await lockKind(tx, caller.tenant, source.id)
    const all = callbacks.map(({ value, receivedAt }) => read(provider, value, receivedAt))
    const updates = all.filter((each): each is PaymentUpdate => each.kind !== 'ignored')
    const by = { ...caller, actor: { type: 'system' as const, id: source.id } }
    const outcomes = await applied(tx, by, { ...source, provider }, updates)
    return all.map(each => (each.kind === 'ignored' ? { status: 'ignored', reason: each.reason } : (outcomes.shift() as Outcome)))
  },
})

const read = (provider: ProviderKind, value: unknown, receivedAt: Date): PaymentUpdate | Ignored =>
  provider === 'stripe' ? readStripe(value) : readGeneric(value, receivedAt)

const applied = async (tx: Tx, ...[caller, source, updates]: Tail<Parameters<typeof applyAll>>): Promise<Outcome[]> =>
  updates.length === 0 ? [] : applyAll(tx, caller, source, updates)

type Tail<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never

// A secret that does not open, for its key is missing, verifies nothing; `doctor` names the key. It must not keep the others from being opened.
function opened(keyring: Keyring, { tenant, id, secrets }: Verifying): string[] {
  try {
    return open(keyring, tenant, id, secrets)
  } catch {
    return []
  }
}
