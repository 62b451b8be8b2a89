// Forms: labels, hints, and where a form was refused, its values as they were typed and each error beside its field. Passwords are never shown again.
import { type ComponentChildren, createContext, type VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { NAME_FIELD, type Sent, TOKEN_FIELD, WORKSPACE_FIELD } from './sent.ts'

/** What forms need of the page that they stand on. */
export interface FormPage {
  token(): string
  sent: Sent | undefined
  /** In which the page was shown. */
  workspace: string | undefined
}

export const FormPage = createContext<FormPage | undefined>(undefined)

/** The form in which a field stands. */
const Within = createContext<{ name: string; sent: Sent | undefined }>({ name: '', sent: undefined })

export interface FormProps {
  /** Which action of the page takes it. A page's only form needs none. */
  name?: string
  /** The path that it is posted to; the page's own address unless given. */
  action?: string
  children: ComponentChildren
}

/** Posts to its page, with what keeps other sites' forms and second posts out. */
export function Form({ name = '', action, children }: FormProps): VNode {
  const page = useContext(FormPage)
  if (page === undefined) throw new Error('a form stands on no page')
  const sent = page.sent?.form === name ? page.sent : undefined
  return (
    <form method="post" {...(action !== undefined && { action })}>
      <input type="hidden" name={TOKEN_FIELD} value={page.token()} />
      {name !== '' && <input type="hidden" name={NAME_FIELD} value={name} />}
      {page.workspace !== undefined && <input type="hidden" name={WORKSPACE_FIELD} value={page.workspace} />}
      {sent?.refusal && <Refused {...sent.refusal} />}
      <Within.Provider value={{ name, sent }}>{children}</Within.Provider>
    </form>
  )
}

function Refused({ message, errors }: NonNullable<Sent['refusal']>): VNode {
  return (
    <div class="notice bad" role="alert">
      {errors.length === 0 ? <p>{message}</p> : errors.map(error => <p key={error.field}>{sentence(error.field, error.message)}</p>)}
    </div>
  )
}

// `time_zone` and “is unknown.” make “Time zone is unknown.”
function sentence(field: string, message: string): string {
  const words = field.replaceAll('_', ' ')
  return words === '' ? message : `${words.charAt(0).toUpperCase()}${words.slice(1)} ${message}`
}

interface QuestionProps {
  name: string
  label: string
  /** What else there is to know before one answers. */
  hint?: ComponentChildren
}

export interface FieldProps extends QuestionProps {
  /** Default: text. */
  type?: 'text' | 'email' | 'password' | 'number' | 'search' | 'url'
  value?: string | undefined
  required?: boolean
  /** As browsers and password managers know it: `current-password`, `new-password`, `email`, `off`, … */
  autocomplete?: string
  maxLength?: number
  minLength?: number
}

/** One line of text. */
export function Field({ name, label, hint, type = 'text', value = '', ...rest }: FieldProps): VNode {
  const { id, sent, described } = useQuestion(name, hint !== undefined)
  return (
    <Question id={id} label={label} hint={hint} errors={errorsOf(sent, name)}>
      <input
        id={id}
        name={name}
        // The types of elements tell each type of input apart, for the roles that it may have.
        type={type as 'text'}
        value={type === 'password' ? '' : (sent?.text(name) ?? value)}
        {...rest}
        {...described}
      />
    </Question>
  )
}

export interface TextAreaProps extends QuestionProps {
  value?: string
  rows?: number
  required?: boolean
  maxLength?: number
}

/** Several lines of text. */
export function TextArea({ name, label, hint, value = '', rows = 6, ...rest }: TextAreaProps): VNode {
  const { id, sent, described } = useQuestion(name, hint !== undefined)
  return (
    <Question id={id} label={label} hint={hint} errors={errorsOf(sent, name)}>
      <textarea id={id} name={name} rows={rows} {...rest} {...described} value={sent?.text(name) ?? value} />
    </Question>
  )
}

export interface Option {
  value: string
  label: string
}

export interface SelectProps extends QuestionProps {
  value?: string
  options: readonly Option[]
}

/** One of many. */
export function Select({ name, label, hint, value = '', options }: SelectProps): VNode {
  const { id, sent, described } = useQuestion(name, hint !== undefined)
  const chosen = sent?.text(name) ?? value
  return (
    <Question id={id} label={label} hint={hint} errors={errorsOf(sent, name)}>
      <select id={id} name={name} {...described}>
        {options.map(option => (
          <option key={option.value} value={option.value} selected={option.value === chosen}>
            {option.label}
          </option>
        ))}
      </select>
    </Question>
  )
}

export interface CheckboxProps extends QuestionProps {
  /** What is sent where it is ticked. */
  value: string
  checked?: boolean
}

/** Yes or no; several with one name are a list. */
export function Checkbox({ name, label, hint, value, checked = false }: CheckboxProps): VNode {
  const { sent } = useContext(Within)
  const id = `${useContext(Within).name}-${name}-${value}`
  return (
    <p class="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={sent ? sent.list(name).includes(value) : checked}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
    </p>
  )
}

export interface ChoicesProps {
  name: string
  legend: string
  /** Those that are ticked before anything was sent. */
  value: readonly string[]
  options: readonly (Option & { hint?: string })[]
}

/** Several of few: a list. */
export function Choices({ name, legend, value, options }: ChoicesProps): VNode {
  const { id, sent, described } = useQuestion(name, false)
  const errors = errorsOf(sent, name)
  return (
    <fieldset {...described}>
      <legend>{legend}</legend>
      {options.map(option => (
        <Checkbox key={option.value} name={name} {...option} checked={value.includes(option.value)} />
      ))}
      {errors.length > 0 && (
        <p id={`${id}-error`} class="error">
          {errors.map(error => `${legend} ${error}`).join(' ')}
        </p>
      )}
    </fieldset>
  )
}

/** Asks once more before something ends: the button that ends it, and the way back. @param keep the page to go back to */
export function Ending({ children, keep }: { children: ComponentChildren; keep: string }): VNode {
  return (
    <Form>
      <div class="actions">
        <Button kind="danger">{children}</Button>
        <a class="button plain" href={keep}>
          Keep it
        </a>
      </div>
    </Form>
  )
}

export interface ButtonProps {
  children: ComponentChildren
  /** Takes something away. */
  kind?: 'danger' | 'plain'
  name?: string
  value?: string
  /** Where the words alone do not say what it is about, as in a row of a table. */
  label?: string
}

/** Sends the form that it stands in. */
export function Button({ children, kind, label, ...rest }: ButtonProps): VNode {
  return (
    <button type="submit" {...(kind && { class: kind })} {...(label !== undefined && { 'aria-label': label })} {...rest}>
      {children}
    </button>
  )
}

const errorsOf = (sent: Sent | undefined, name: string): string[] =>
  (sent?.refusal?.errors ?? []).filter(error => error.field === name).map(error => error.message)

function useQuestion(name: string, hasHint: boolean) {
  const { name: form, sent } = useContext(Within)
  const id = form === '' ? name : `${form}-${name}`
  const isWrong = errorsOf(sent, name).length > 0
  const about = [hasHint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    sent,
    described: { ...(about !== '' && { 'aria-describedby': about }), ...(isWrong && { 'aria-invalid': 'true' as const }) },
  }
}

interface QuestionFrame {
  id: string
  label: string
  hint: ComponentChildren
  errors: string[]
  children: ComponentChildren
}

function Question({ id, label, hint, errors, children }: QuestionFrame): VNode {
  return (
    <div class="question">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
      {errors.length > 0 && (
        <p id={`${id}-error`} class="error">
          {errors.map(error => `${label} ${error}`).join(' ')}
        </p>
      )}
    </div>
  )
}
