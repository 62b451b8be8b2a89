// Outside the hours: the away text, and a field for an address to which answers are mailed.
import type { Chat, State } from '../state.ts'
import type { Texts } from '../texts.ts'
import { el, say, set } from './dom.ts'

export interface Away {
  element: HTMLElement
  draw(state: State): void
}

export function openAway(texts: Texts, chat: Chat): Away {
  const text = el('p', { dir: 'auto' })
  const wrong = el('p', { id: 'wrong', class: 'wrong', role: 'alert' })
  const field = el('input', {
    type: 'email',
    autocomplete: 'email',
    maxlength: 254,
    required: true,
    placeholder: texts.email,
    'aria-label': texts.email,
    'aria-describedby': 'wrong',
    dir: 'ltr',
    input: () => complain(''),
  })
  const form = el(
    'form',
    { novalidate: true, submit },
    el('p', {}, texts.emailAsked),
    el('div', { class: 'row' }, field, el('button', { type: 'submit' }, texts.emailSave)),
    wrong,
  )
  const thanks = el('p', { role: 'status' })
  const element = el('section', { class: 'away', 'aria-label': texts.email }, text, form, thanks)

  function submit(event: Event): void {
    event.preventDefault()
    const address = field.value.trim()
    // The browser takes a name without a dot behind the @, which no mail reaches, and more before it than there may be.
    if (!address || !field.checkValidity() || !/^.{1,64}@.+\../.test(address)) {
      complain(texts.emailWrong)
      field.focus()
      return
    }
    chat.leaveEmail(address)
  }
  function complain(why: string): void {
    say(wrong, why)
    set(field, 'aria-invalid', why ? 'true' : undefined)
  }
  return {
    element,
    draw({ session, hasEmail, thanked }) {
      say(text, texts.away)
      element.hidden = !session?.away
      text.hidden = thanked
      form.hidden = hasEmail
      say(thanks, thanked ? texts.emailThanks : '')
    },
  }
}
