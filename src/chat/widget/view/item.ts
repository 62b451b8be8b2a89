// One entry of the talk, of the visitor or the shop, however far it has come.
import type { ChatFile, ChatMessage } from '../../schema.ts'
import type { Waiting } from '../outbox.ts'
import type { Chat } from '../state.ts'
import type { Texts } from '../texts.ts'
import type { Upload } from '../upload.ts'
import { type Child, el, icon } from './dom.ts'
import { FILE } from './icons.ts'
import { linked } from './links.ts'

export interface Item {
  key: string
  from: 'visitor' | 'shop'
  /** Undefined for the visitor, empty for a line that no person said. */
  name: string | undefined
  at: number
  /** Is drawn anew when this is another. */
  mark: string
  draw(): Child[]
}

/** Names are shown on one line. */
const NAME_CHARS = 60

/** @param asking its choices can still be pressed */
export function itemOf(message: ChatMessage, asking: boolean, texts: Texts, lang: string, chat: Chat): Item {
  const { id, own_id, from, name, text, attachments, choices, edited_at, deleted_at, created_at } = message
  const at = Date.parse(created_at)
  return {
    key: own_id ?? id,
    from,
    name: from === 'shop' ? (name ?? '').slice(0, NAME_CHARS) || texts.shop : undefined,
    at,
    // Addresses of files are signed anew each time, which makes them no others.
    mark: JSON.stringify([text, attachments.map(file => [file.id, file.status]), asking, edited_at, deleted_at]),
    draw() {
      if (deleted_at) return [bubble({ class: 'deleted' }, texts.deleted)]
      return [
        ...attachments.map(file => drawFile(file, texts)),
        text !== null && bubble({}, ...linked(text)),
        choices &&
          asking &&
          el(
            'div',
            { class: 'choices' },
            ...choices.map(each => el('button', { type: 'button', click: () => chat.choose(each) }, each.title)),
          ),
        el('p', { class: 'meta' }, edited_at ? `${texts.edited} · ` : '', el('time', { datetime: created_at }, clock(at, lang))),
      ].filter(each => each !== null)
    },
  }
}

export function waitingItem(waiting: Waiting, online: boolean | undefined, texts: Texts, chat: Chat): Item {
  const { body, file, state, at } = waiting
  const said = state === 'waiting' ? (online === false ? texts.waiting : texts.sending) : ''
  return {
    key: body.id,
    from: 'visitor',
    name: undefined,
    at,
    mark: state + said,
    draw: () => [
      file && drawFile(file, texts),
      body.text !== undefined && bubble({}, ...linked(body.text)),
      state === 'refused' ? refusal(texts.refused, waiting, texts, chat) : el('p', { class: 'meta shown' }, said),
    ],
  }
}

export function uploadItem(upload: Upload, texts: Texts, chat: Chat): Item {
  const { key, name, state, why } = upload
  return {
    key,
    from: 'visitor',
    name: undefined,
    at: Date.now(),
    mark: state,
    draw: () => [
      bubble({ class: 'file' }, icon(FILE), el('span', {}, name)),
      state === 'failed' ? refusal(why ?? texts.refused, upload, texts, chat) : el('p', { class: 'meta shown' }, texts.uploading),
    ],
  }
}

/** What was said before can be asked for by hand too, where nothing is scrolled. */
export const earlierItem = (texts: Texts, chat: Chat): Item => ({
  key: 'earlier',
  from: 'shop',
  name: '',
  at: 0,
  mark: texts.earlier,
  draw: () => [el('button', { type: 'button', class: 'earlier', click: chat.goBack }, texts.earlier)],
})

export const bubble = (props: { class?: string }, ...children: Child[]): HTMLElement =>
  el('div', { dir: 'auto', ...props, class: `bubble ${props.class ?? ''}` }, ...children)

const refusal = (why: string, what: Waiting | Upload, texts: Texts, chat: Chat): HTMLElement =>
  el(
    'p',
    { class: 'meta shown refused' },
    `${why} `,
    el('button', { type: 'button', click: () => chat.again(what) }, texts.again),
    el('button', { type: 'button', click: () => chat.discard(what) }, texts.remove),
  )

function drawFile(file: ChatFile, texts: Texts): HTMLElement {
  const name = file.name ?? texts.attach
  if (file.status !== 'stored')
    return bubble({ class: 'file' }, icon(FILE), file.status === 'failed' ? texts.fileFailed : texts.filePending)
  // Only addresses of the web: whatever else a link may do, it does not here.
  if (!/^https?:/.test(file.url)) return bubble({ class: 'file' }, icon(FILE), name)
  const link = { href: file.url, target: '_blank', rel: 'noopener noreferrer' }
  if (file.type === 'image') return el('a', { ...link, class: 'picture' }, el('img', { src: file.url, alt: name, loading: 'lazy' }))
  if (file.type === 'video' || file.type === 'audio')
    return el(file.type, { src: file.url, controls: true, preload: 'metadata', 'aria-label': name })
  return el(
    'a',
    { ...link, class: 'bubble file' },
    icon(FILE),
    el('span', { dir: 'auto' }, name),
    el('small', { dir: 'ltr' }, sizeOf(file.size_bytes)),
  )
}

function sizeOf(bytes: number | null): string {
  if (bytes === null) return ''
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The time, with the day where it is not today's. */
function clock(at: number, lang: string): string {
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : ({ day: 'numeric', month: 'short' } as const)
  try {
    return new Date(at).toLocaleString(lang || undefined, { ...day, hour: 'numeric', minute: '2-digit' })
  } catch {
    // The page's lang is no language.
    return new Date(at).toLocaleString(undefined, { ...day, hour: 'numeric', minute: '2-digit' })
  }
}
