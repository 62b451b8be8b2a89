// The job that looks whether an address has an account, after its asker was answered.
import { part, type Tx } from '../postgres/sql.ts'
import { addJob } from '../queue/jobs.ts'

export async function queue(tx: Tx, email: string): Promise<void> {
  await tx`
    select ${addJob('access/mail-reset', { email: part`asked.email` })}
      from (select ${email}::text as email) asked`
}
