// What the visitor sees: a button, and the panel that it opens, in a shadow root whose style nothing of the page reaches.

import type { Chat, State } from '../state.ts'
import type { Texts } from '../texts.ts'
import { accent } from './color.ts'
import { type Draft, openComposer } from './composer.ts'
import { el, icon, say, set } from './dom.ts'
import { openAway } from './email.ts'
import { CHAT, CROSS, DOWN } from './icons.ts'
import { bubble, earlierItem, type Item, itemOf, uploadItem, waitingItem } from './item.ts'
import { openLog } from './log.ts'
import css from './style.css'

const BACK_MS = 100

/** @returns draws a state */
export function openView(given: Texts, own: Record<string, string>, lang: string, chat: Chat, draft: Draft): (state: State) => void {
  // The channel's own words stand in for ours, and the page's in both languages for the channel's.
  const texts = { ...given }
  const colors = new CSSStyleSheet()
  const badge = el('span', { class: 'badge', 'aria-hidden': 'true' })
  const launcher = el(
    'button',
    { type: 'button', class: 'launcher', 'aria-expanded': 'false', click: toggle },
    icon(CHAT),
    icon(DOWN),
    badge,
  )
  const title = el('h2', { id: 'title', dir: 'auto' })
  const status = el('p', { class: 'status', role: 'status' })
  const log = openLog(texts.messages, texts.you, () => void chat.goBack())
  const typing = el('p', { class: 'typing' }, el('i'), el('i'), el('i'), el('span', { class: 'hidden' }, texts.typing))
  const goOn = el('button', { type: 'button', class: 'go-on', click: press }, texts.goOn)
  const away = openAway(texts, chat)
  const composer = openComposer(texts, chat, draft)
  const panel = el(
    'div',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true, keydown: leave },
    el(
      'div',
      { class: 'head' },
      title,
      el('button', { type: 'button', class: 'round', 'aria-label': texts.close, title: texts.close, click: chat.close }, icon(CROSS)),
    ),
    log.element,
    typing,
    status,
    away.element,
    goOn,
    composer.element,
  )
  // Speaks of what comes while the panel is closed.
  const news = el('p', { class: 'hidden', role: 'status' })
  const host = el('div', { role: 'region', 'aria-label': texts.title })
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet, colors]
  root.append(panel, launcher, news)
  // A page that puts all that it is made of in the place of what was there has the chat again: after a moment, so that one that clears away all that it does
  // not know is not fought with.
  const watch = new MutationObserver(() => host.isConnected || setTimeout(stand, BACK_MS))
  let wasOpen = false
  let entered = 0
  let color: string | null | undefined

  // Beside the body: what the page does to that, or puts in its place, does not touch the chat.
  function stand(): void {
    const page = document.documentElement
    if (host.isConnected || !page) return
    page.append(host)
    for (const each of [document, page]) watch.observe(each, { childList: true })
  }
  function toggle(): void {
    if (wasOpen) chat.close()
    else chat.open()
  }
  function press(): void {
    goOn.disabled = true
    void chat.goOn()
  }
  function leave(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing) return
    event.stopPropagation()
    chat.close()
  }

  function itemsOf({ messages, waiting, uploads, online, earlier }: State): Item[] {
    const last = messages.at(-1)
    const begin = { from: 'shop', name: texts.shop, at: 0 } as const
    return [
      earlier ? earlierItem(texts, chat) : { ...begin, key: 'greeting', mark: texts.greeting, draw: () => [bubble({}, texts.greeting)] },
      ...messages.map(each => itemOf(each, each === last && waiting.length === 0, texts, lang, chat)),
      ...waiting.map(each => waitingItem(each, online, texts, chat)),
      ...uploads.map(each => uploadItem(each, texts, chat)),
    ]
  }

  return state => {
    const { session, open, unread, online, unavailable, link } = state
    if (session) {
      for (const [word, theirs] of [
        ['title', session.title],
        ['greeting', session.greeting],
        ['away', session.away_text],
      ] as const)
        texts[word] = own[word] ?? theirs ?? given[word]
      if (color !== session.color) colors.replaceSync(accent(session.color))
      color = session.color
    }
    if (!host.isConnected && session) {
      colors.replaceSync(accent(session.color))
      stand()
    }
    const { direction } = getComputedStyle(document.body ?? document.documentElement)
    set(host, 'dir', direction)
    set(host, 'lang', lang || undefined)
    say(title, texts.title)
    set(launcher, 'aria-label', open ? texts.close : unread > 0 ? `${texts.open}: ${unread} ${texts.unread}` : texts.open)
    set(launcher, 'aria-expanded', `${open}`)
    say(badge, unread > 0 && !open ? `${Math.min(unread, 99)}` : '')
    say(news, unread > 0 && !open ? `${unread} ${texts.unread}` : '')
    const leaves = !open && panel.contains(root.activeElement)
    panel.hidden = !open
    if (leaves) launcher.focus()
    log.draw(itemsOf(state), state.loaded && open)
    typing.hidden = !state.typing
    away.draw(state)
    say(status, unavailable ? texts.unavailable : (state.notice ?? (online === false ? texts.offline : '')))
    composer.draw(session, !unavailable)
    goOn.hidden = !link || unavailable
    composer.element.hidden = !goOn.hidden
    if (open && !wasOpen) log.toEnd()
    // What stands nowhere yet takes no focus.
    if (host.isConnected) {
      if (open && entered !== state.entered) (goOn.hidden ? composer : goOn).focus()
      entered = state.entered
    }
    wasOpen = open
  }
}
