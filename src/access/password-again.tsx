// What is dangerous asks for the password again where it was given over an hour ago: a page in between, which keeps what was asked for.
import { Field } from '../ingress/page/fields.tsx'
import { Button, Form } from '../ingress/page/form.tsx'
import type { Shown, Visit } from '../ingress/page/page.ts'
import { Notice } from '../ingress/page/parts.tsx'
import type { Sent } from '../ingress/page/sent.ts'
import { titled } from '../ingress/page/titled.tsx'
import type { Sql } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { isFresh } from './account.ts'
import type { PageSession } from './session-reader.ts'
import { deviceOf } from './sessions.ts'
import { giveAgain } from './sign-in.ts'

const FIELD = 'password_again'

/**
 * @param fields of the form that was sent: they are sent again with the password
 * @returns the page that asks; undefined where the password was given lately, or came now
 */
export async function passwordAgain(
  sql: Sql,
  { session, sent, request }: Visit<PageSession> & { sent: Sent },
  fields: string[],
): Promise<Shown | undefined> {
  if (isFresh(session)) return undefined
  const password = sent.text(FIELD)
  if (password === '') return asking(sent, fields)
  try {
    await giveAgain(sql, session, password, deviceOf(request))
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || ![422, 429].includes(error.status)) throw error
    const said = error.status === 422 ? 'That is not your password.' : error.message
    return { ...asking(sent, fields, said), status: error.status, headers: error.headers }
  }
}

const asking = (sent: Sent, fields: string[], refused?: string): Shown =>
  titled(
    'Your password, once more',
    <>
      {refused !== undefined && <Notice kind="bad">{refused}</Notice>}
      <p>You gave it over an hour ago. What you asked for is done when you give it again.</p>
      <Form name={sent.form}>
        {fields.flatMap(name => sent.list(name).map(value => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />))}
        <Field name={FIELD} label="Password" type="password" autocomplete="current-password" required />
        <Button>Go on</Button>
      </Form>
    </>,
  )
