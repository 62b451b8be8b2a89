// What a person changes about their own account. Each of it needs a password that was given lately: see `isFresh`.
import { PASSWORD_AGAIN_SECONDS } from '../limits/access.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { setProfile, tellPerson } from '../tenants/accounts.ts'
import { emailOf, nameOf } from '../tenants/email.ts'
import { hashPassword } from './password.ts'
import { dropResets, replacePassword, requirePassword } from './reset.ts'
import { isOpen, type Session } from './sessions.ts'

/** Whether the password was given within the last hour. */
export const isFresh = ({ password_seconds }: Session): boolean => password_seconds <= PASSWORD_AGAIN_SECONDS

/** Sets another password, and ends the person's other sessions. @throws {Problem} 422 for `new_password`, 503, 409 where the session has ended meanwhile */
export async function changePassword(sql: Sql, session: Session, password: string): Promise<void> {
  const account = { id: session.user, email: session.email, name: session.name }
  await requirePassword(sql, account, password, 'new_password')
  const hash = await hashPassword(password)
  await begin(sql, async tx => {
    await replacePassword(tx, account, hash, { type: 'user', id: session.user }, session.id)
    // The account is held by now. A session that was ended before, as by a reset of the password, sets none.
    if (!(await isOpen(tx, session.id)))
      throw new Problem('conflict', 'Your session was ended in the meantime; sign in again.', { code: 'session_ended' })
  })
}

/**
 * Changes the name and the e-mail. Both addresses are told where that changes.
 * @throws {Problem} 422 for `name` or `email`
 */
export async function changeProfile(sql: Sql, session: Session, asked: { name: string; email: string }): Promise<void> {
  const { user, email: before } = session
  const email = emailOf(asked.email)
  if (email === undefined) throw invalid({ field: 'email', code: 'invalid', message: 'must be an e-mail address.' })
  const name = asked.name.trim() === '' ? null : nameOf(asked.name)
  if (name === undefined)
    throw invalid({ field: 'name', code: 'invalid', message: 'must have at most 100 characters, and none that are not shown.' })
  await begin(sql, async tx => {
    await setProfile(tx, user, { email, name }, { type: 'user', id: user })
    if (email.toLowerCase() === before.toLowerCase()) return
    await dropResets(tx, { id: user, email: before })
    for (const address of [before, email])
      await tellPerson(
        tx,
        { id: user, email: address },
        {
          kind: 'user.email',
          subject: 'Your e-mail address was changed',
          lines: [
            `Your account on Shopdesk had the e-mail address ${before}, and has ${email} now: sign in with that.`,
            'If it was not you, tell an admin of your workspace.',
          ],
        },
      )
  }).catch(error => {
    throw violatedConstraint(error) === 'users_email'
      ? invalid({ field: 'email', code: 'taken', message: 'belongs to another account.' })
      : error
  })
}
