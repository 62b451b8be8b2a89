// Where the visitor writes. What is not sent yet stays in the tab, through reloads and other pages of the shop.
import type { Session } from '../../schema.ts'
import type { Chat } from '../state.ts'
import type { Texts } from '../texts.ts'
import { el, icon } from './dom.ts'
import { CLIP, SEND } from './icons.ts'

export interface Composer {
  element: HTMLElement
  draw(session: Session | undefined, enabled: boolean): void
  focus(): void
}

export interface Draft {
  /** What this visitor has begun. */
  read(visitor: string): string
  write(text: string): void
}

/** design: what a visitor writes at once; longer texts go as several messages, up to what may be sent in half a minute. */
const TEXT_CHARS = 4096
const TEXTS = 10

export function openComposer(texts: Texts, chat: Chat, draft: Draft): Composer {
  const words = el('textarea', {
    rows: 1,
    maxlength: TEXTS * TEXT_CHARS,
    placeholder: texts.placeholder,
    'aria-label': texts.message,
    dir: 'auto',
    enterkeyhint: 'send',
    autocomplete: 'off',
    input: () => {
      draft.write(words.value)
      fit()
      if (words.value.trim()) chat.typed()
    },
    keydown: (event: KeyboardEvent) => {
      // Safari ends a composition before it tells of the Enter that did so, which has this code then.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
      event.preventDefault()
      send()
    },
    paste: (event: ClipboardEvent) => take(event.clipboardData?.files, event),
  })
  const files = el('input', {
    type: 'file',
    multiple: true,
    class: 'hidden',
    tabindex: -1,
    'aria-hidden': 'true',
    change: () => {
      chat.attach([...(files.files ?? [])])
      files.value = ''
    },
  })
  const attach = el(
    'button',
    { type: 'button', class: 'round', 'aria-label': texts.attach, title: texts.attach, click: () => files.click() },
    icon(CLIP),
  )
  const submit = el('button', { type: 'submit', class: 'round send', 'aria-label': texts.send, title: texts.send }, icon(SEND))
  const element = el(
    'form',
    {
      class: 'composer',
      submit: (event: Event) => {
        event.preventDefault()
        send()
        words.focus()
      },
      dragover: (event: DragEvent) => event.preventDefault(),
      drop: (event: DragEvent) => take(event.dataTransfer?.files, event),
    },
    attach,
    files,
    words,
    submit,
  )
  let visitor: string | undefined

  function send(): void {
    const text = words.value.trim()
    if (!text || words.disabled) return
    words.value = ''
    draft.write('')
    fit()
    for (const part of partsOf(text)) chat.say(part)
  }
  function take(list: FileList | undefined, event: Event): void {
    if (!list?.length) return
    event.preventDefault()
    chat.attach([...list])
  }
  // As high as what is written, up to what the style sheet allows.
  function fit(): void {
    words.style.height = 'auto'
    if (words.scrollHeight) words.style.height = `${words.scrollHeight + 2}px`
  }
  return {
    element,
    draw(session, enabled) {
      words.disabled = submit.disabled = !enabled
      attach.disabled = !enabled || session === undefined
      files.accept = session?.files.mime_types.join() ?? ''
      if (!session || session.id === visitor) return
      visitor = session.id
      words.value = draft.read(visitor)
      fit()
    },
    focus() {
      fit()
      words.focus()
    },
  }
}

/** Between lines where that is possible, else between words. */
function partsOf(text: string): string[] {
  const parts = []
  let rest = text
  while (rest.length > TEXT_CHARS) {
    const head = rest.slice(0, TEXT_CHARS + 1)
    const end = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].find(at => at > TEXT_CHARS / 2)
    // Not between the halves of a character.
    const part = end === undefined ? head.slice(0, TEXT_CHARS).replace(/[\ud800-\udbff]$/, '') : head.slice(0, end)
    parts.push(part.trim())
    rest = rest.slice(part.length).trim()
  }
  return [...parts, rest].filter(Boolean)
}
