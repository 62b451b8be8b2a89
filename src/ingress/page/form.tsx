// Forms: posted to their page with what keeps other sites' forms and second posts out, and where one was refused, saying why. See fields.tsx for what is in them.
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
export const Within = createContext<{ name: string; sent: Sent | undefined }>({ name: '', sent: undefined })

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
