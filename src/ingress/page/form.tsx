// Forms: posted to their page with what keeps other sites' forms and second posts out, and where one was refused, saying why. See fields.tsx for what is in them.
import { type ComponentChildren, createContext, toChildArray, type VNode } from 'preact'
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
      {sent?.refusal && <Refused {...sent.refusal} labels={labelsOf(children)} />}
      <Within.Provider value={{ name, sent }}>{children}</Within.Provider>
    </form>
  )
}

function Refused({ message, errors, labels }: NonNullable<Sent['refusal']> & { labels: Map<string, string> }): VNode {
  const called = (field: string): string => labels.get(field) ?? capital(field.replaceAll('_', ' '))
  return (
    <div class="notice bad" role="alert">
      {errors.length === 0 ? (
        <p>{message}</p>
      ) : (
        errors.map(error => <p key={error.field}>{`${called(error.field)} ${error.message}`.trim()}</p>)
      )}
    </div>
  )
}

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

// What the fields of a form are called on the page, by their names.
const labelsOf = (children: ComponentChildren): Map<string, string> =>
  new Map(
    toChildArray(children).flatMap(child => {
      if (typeof child !== 'object') return []
      const { name, label, legend = label, children: inner } = child.props as FormProps & { label?: string; legend?: string }
      return [...(name !== undefined && legend !== undefined ? [[name, legend] as const] : []), ...labelsOf(inner)]
    }),
  )

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
