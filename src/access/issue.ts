// A key made for a workspace by its people or its operator: the admins are told, for a program that has it acts as the workspace.
import type { Actor } from '../caller.ts'
import { KEYS_PER_WORKSPACE } from '../limits/access.ts'
import { queueMail } from '../mail/mail.ts'
import type { Tx } from '../postgres/sql.ts'
import { admins, requireStillAdmin } from '../tenants/people.ts'
import { quotaReached } from '../tenants/quota.ts'
import { lockTenant } from '../tenants/tenants.ts'
import { createKey, type NewKey } from './keys.ts'
import { countMade } from './store.ts'

/**
 * Makes a key, and mails the admins that it was made. The key itself is in the answer alone.
 * @param trace of the request
 * @throws {Problem} 403 `insufficient_role`; 409 where the workspace has KEYS_PER_WORKSPACE, those that were made and revoked within a day included
 */
export async function issueKey(tx: Tx, input: NewKey, by: Actor, trace?: string): Promise<{ id: string; key: string; scopes: string[] }> {
  const { tenant, kind, name, scopes } = input
  // Two admins at once: the second one counts the key of the first.
  await lockTenant(tx, tenant)
  await requireStillAdmin(tx, { tenant, actor: by })
  if ((await countMade(tx, tenant)) >= KEYS_PER_WORKSPACE)
    throw quotaReached(
      `A workspace may have ${KEYS_PER_WORKSPACE} keys, those made in the last 24 hours included. Revoke keys that no program uses any more, and try again; keys made today count until tomorrow.`,
      KEYS_PER_WORKSPACE,
    )
  const made = await createKey(tx, input, by, trace)
  for (const { email, workspace } of await admins(tx, tenant))
    await queueMail(tx, {
      tenant,
      kind: 'key.create',
      to: email,
      subject: `A key was made for ${workspace}`,
      text: `${[
        `Workspace: ${workspace}`,
        '',
        `${kind === 'mcp' ? 'An agent key' : 'An API key'}${name === undefined ? '' : `, “${name}”,`} was made, with the scopes ${scopes.join(' and ')}: ${made.id}`,
        '',
        'If no admin of the workspace wanted this key, revoke it: bin/shopdesk key revoke, or the page of keys.',
      ].join('\n')}\n`,
    })
  return made
}
