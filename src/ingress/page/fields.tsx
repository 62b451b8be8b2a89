// Fields of forms: one line, several, one of many, yes or no. Each has its label and hint, and where its form was refused, its value as it was typed and its
// errors beside it. Passwords are never shown again.
import type { ComponentChildren, VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { Within } from './form.tsx'
import type { Sent } from './sent.ts'

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
