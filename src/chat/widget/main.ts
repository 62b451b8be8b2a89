// Web chat, as one script on a page of a shop: `<script src="{base_url}/chat.js" data-channel="chn_…" async></script>`.
import { openChat } from './chat.ts'
import { linkOf, readPage } from './page.ts'
import type { Chat } from './state.ts'
import { textsFor } from './texts.ts'
import { openView } from './view/view.ts'

declare global {
  interface Window {
    shopdeskChat?: Pick<Chat, 'open' | 'close' | 'identify' | 'forget'>
  }
}

// Included twice, it is one chat.
const page = window.shopdeskChat ? undefined : readPage()
if (page) {
  const texts = textsFor(page.lang, page.texts)
  const link = linkOf()
  const chat = openChat(page, texts, state => {
    remember('open', state.open ? '1' : '')
    draw(state)
  })
  const draft = {
    read(visitor: string) {
      if (recall('visitor') !== visitor) remember('draft', '')
      remember('visitor', visitor)
      return recall('draft')
    },
    write: (text: string) => remember('draft', text),
  }
  const draw = openView(texts, page.texts, page.lang, chat, draft)
  const { open, close, identify, forget } = chat
  window.shopdeskChat = { open, close, identify, forget }
  // On a phone the panel is the screen: it would cover each page that the visitor goes to.
  const wasOpen = recall('open') !== '' && matchMedia('(min-width: 30.01em)').matches
  if (link) open()
  void chat.start({ identity: page.identity, link, open: wasOpen })
  dispatchEvent(new Event('shopdesk-chat'))
}

// Kept for this tab alone, so that the panel and what was begun are there on the shop's next page.
function recall(name: string): string {
  try {
    return sessionStorage.getItem(`shopdesk-chat:${name}`) ?? ''
  } catch {
    return ''
  }
}

function remember(name: string, value: string): void {
  try {
    if (recall(name) !== value) sessionStorage.setItem(`shopdesk-chat:${name}`, value)
  } catch {
    // Forbidden, or full: then it is not there on the next page.
  }
}
