// A form as it came: `application/x-www-form-urlencoded`, read within bounds; and why it was refused, for the page that shows it again.
import { FORM_FIELDS_MAX } from '../../limits/pages.ts'
import { type FieldError, Problem } from '../../problems.ts'
import { PageRefusal } from './refusal.ts'

export interface Sent {
  /** The form's name. */
  form: string
  /** The value of a field as it was typed; empty where it was not sent. */
  text(name: string): string
  /** The values of a field that may be given several times. */
  list(name: string): string[]
  refusal?: Refusal
}

export interface Refusal {
  message: string
  errors: FieldError[]
}

/** The fields that the frame itself sends. */
export const TOKEN_FIELD = '_csrf'
export const NAME_FIELD = '_form'
export const WORKSPACE_FIELD = '_workspace'

/** @throws {PageRefusal} 422 for more fields than any form has, or what cannot be stored */
export function readForm(body: Buffer): Sent {
  const fields = new URLSearchParams(body.toString('utf8'))
  if (fields.size > FORM_FIELDS_MAX) throw new PageRefusal(422, 'This form is too long', `It has over ${FORM_FIELDS_MAX} fields.`)
  for (const [name, value] of fields)
    if (value.includes('\0'))
      throw new PageRefusal(422, 'This form cannot be stored', `“${name}” holds a NUL character. Go back, and remove it.`)
  return {
    form: fields.get(NAME_FIELD) ?? '',
    text: name => fields.get(name) ?? '',
    list: name => fields.getAll(name),
  }
}

const MENDABLE = [409, 422, 429]

/** What the page says when it is shown again. Undefined for an error that no other input would mend. */
export function refusalOf(error: unknown): (Refusal & Pick<Problem, 'status' | 'headers'>) | undefined {
  if (!(error instanceof Problem) || !MENDABLE.includes(error.status)) return undefined
  const errors = (error.members['errors'] as FieldError[] | undefined) ?? []
  return { message: error.message, errors, status: error.status, headers: error.headers }
}
