// A key made for a workspace by its people or its operator: the admins are told, for whoever has it acts as the workspace.
import type { Actor } from '../caller.ts'
import { queueMail } from '../mail/mail.ts'
import type { Tx } from '../postgres/sql.ts'
import { admins } from '../tenants/people.ts'
import { createKey, type NewKey } from './keys.ts'

/** Makes a key, and mails the admins that it was made. The key itself is in the answer alone. @param trace of the request */
export async function issueKey(tx: Tx, input: NewKey, by: Actor, trace?: string): Promise<{ id: string; key: string; scopes: string[] }> {
  const made = await createKey(tx, input, by, trace)
  const { tenant, kind, name, scopes } = input
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
        'If nobody of you wanted it, revoke it: bin/shopdesk key revoke, or the page of keys.',
      ].join('\n')}\n`,
    })
  return made
}
