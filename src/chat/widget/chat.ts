// The chat of this page: what it knows, and what can be done with it. It draws nothing itself.
import type { ChatFile, ChatMessage } from '../schema.ts'
import { openApi } from './api.ts'
import { openHistory } from './history.ts'
import { run, type Told } from './line.ts'
import { openOutbox } from './outbox.ts'
import { dropLink, type Link, type Page } from './page.ts'
import { openShown } from './shown.ts'
import { type Chat, nothingYet, type State } from './state.ts'
import { openStore } from './storage.ts'
import { openTabs } from './tabs.ts'
import { openTalk } from './talk.ts'
import type { Texts } from './texts.ts'
import { openTyping } from './typing.ts'
import { openUploads } from './upload.ts'
import { forgetSession, forgetVisitor, type Introduction, introduce, note, visitorOf } from './visitor.ts'
import { openWaker } from './waker.ts'

/** @param draw is called after each change */
export function openChat({ base, channel }: Page, texts: Texts, draw: (state: State) => void): Chat {
  const name = `shopdesk-chat:${channel}:`
  const store = openStore(name, () => seeStorage())
  const waker = openWaker()
  const outbox = openOutbox(store, () => show({}))
  const talk = openTalk()
  const api = openApi(`${base}/api/chat/${channel}/`, () => visitorOf(store)?.token)
  // Where the storage is not shared another tab may be another visitor's.
  const tabs = openTabs<Told>(`${name}line`, told => store.isShared() && hear(told))
  const uploads = openUploads(api, texts, () => show({}), sendFile)
  const state = nothingYet()
  const show = openShown(state, { store, waker, outbox, talk, uploads }, draw)
  const typing = openTyping(api, show)
  const { load, goBack, isOutOfReach, clear } = openHistory(api, talk, state, show, messages => {
    take(messages)
    if (line) for (const message of messages) tell({ message })
  })
  let me: string | undefined
  let line: AbortController | undefined
  let turn: ReturnType<typeof setTimeout> | undefined
  let identity: string | undefined

  function take(messages: ChatMessage[]): void {
    const waiting = new Set(outbox.all().map(({ body }) => body.id))
    for (const { own_id } of messages) if (own_id && waiting.has(own_id)) outbox.remove(own_id)
    if (!talk.merge(messages)) return
    if (messages.at(-1)?.from === 'shop') state.typing = false
    show({})
  }

  function hear(told: Told): void {
    if ('message' in told && !isOutOfReach(told.message)) take([told.message])
    if ('online' in told) show({ online: told.online })
    if ('reset' in told) void load()
    if ('typing' in told) typing.heard()
  }
  function tell(told: Told): void {
    if (store.isShared()) tabs.tell(told)
  }
  function pass(told: Told): void {
    hear(told)
    tell(told)
  }

  async function connect(): Promise<void> {
    if (line || !state.session) return
    line = new AbortController()
    const { signal } = line
    void load()
    try {
      const leading = tabs.lead()
      leadAlone()
      await leading
    } catch {
      return
    }
    if (signal.aborted) return
    const refused = () => {
      forgetSession(store)
      return introduceAgain({})
    }
    const gone = (): void => {
      disconnect()
      show({ unavailable: true })
    }
    await run({ api, store, outbox, talk, waker, pass, load, clear, refused, gone }, signal)
  }

  // What other tabs do not see, they do not send.
  function leadAlone(): void {
    if (!store.isShared()) tabs.insist()
  }

  /** This browser has the talk already. */
  const isOwn = ({ of }: Link): boolean => Boolean(of && visitorOf(store)?.id.endsWith(of))

  // Who only looks holds no connection.
  function connectIfTalking(): void {
    if (visitorOf(store)?.talking || outbox.all().length > 0) void connect()
  }

  function disconnect(): void {
    line?.abort()
    line = undefined
    tabs.release()
    waker.wake()
  }

  async function introduceAgain(by: Introduction): Promise<void> {
    identity = by.identity ?? identity
    const introduced = await introduce({ api, store, outbox, waker, lock: `${name}visitor` }, { ...by, identity })
    if (introduced === 'unavailable') {
      disconnect()
      return show({ unavailable: true })
    }
    const { session, changesInMs, linkUsed } = introduced
    becomes(session.id)
    clearTimeout(turn)
    if (changesInMs !== undefined) turn = setTimeout(() => show({ session: { ...session, away: !session.away } }), changesInMs)
    show({ session, unavailable: false, ...(linkUsed && { notice: texts.linkUsed }) })
  }

  // Another visitor sees nothing of the talk so far.
  function becomes(id: string): void {
    if (me && me !== id) {
      clear()
      uploads.clear()
      if (line) {
        disconnect()
        queueMicrotask(() => void connect())
      }
    }
    me = id
  }

  // Another tab has written, sent, seen, or become another visitor.
  function seeStorage(): void {
    const id = visitorOf(store)?.id
    if (id) becomes(id)
    waker.wake()
    show({})
    if (state.link && isOwn(state.link)) isThere()
  }

  /** The talk of the page's link has gone on, here or in another tab. */
  function isThere(): void {
    dropLink()
    show({ link: undefined, entered: state.entered + 1 })
    connectIfTalking()
  }

  function write(said: Parameters<typeof outbox.add>[0], file?: ChatFile): void {
    note(store, { talking: true })
    outbox.add(said, file)
    show({ notice: undefined })
    waker.wake()
    leadAlone()
    void connect()
  }
  function sendFile(file: ChatFile): void {
    write({ attachments: [{ id: file.id }] }, file)
  }

  addEventListener('pagehide', disconnect)
  addEventListener('pageshow', ({ persisted }) => persisted && connectIfTalking())
  document.addEventListener('visibilitychange', () => show({}))

  return {
    async start({ open, link, ...by }) {
      const look = (): void => show({ link: link && !isOwn(link) ? link : undefined })
      show({ open: state.open || open })
      look()
      // A link works again for the visitor who has used it, should the answer be lost: so it is used by one who is known.
      await introduceAgain(by)
      look()
      if (!state.link) dropLink()
      connectIfTalking()
    },
    async goOn() {
      await introduceAgain({ resume: state.link?.secret })
      if (!state.unavailable) isThere()
    },
    open() {
      show({ open: true, entered: state.entered + 1 })
      connectIfTalking()
    },
    close: () => show({ open: false }),
    goBack,
    say: text => write({ text }),
    choose: ({ id, title }) => write({ text: title, choice_id: id }),
    attach(files) {
      const refusal = state.session && uploads.add(files, state.session.files)
      show({ notice: refusal })
    },
    again(what) {
      if ('body' in what) outbox.set(what, 'waiting')
      else uploads.again(what)
      waker.wake()
    },
    discard(what) {
      if ('body' in what) outbox.remove(what.body.id)
      else uploads.remove(what)
    },
    leaveEmail(address) {
      note(store, { email: address, told: false })
      // Before the first message there is no visitor yet to tell it of: it goes along with that.
      if (visitorOf(store)?.talking) write({ email: address })
      show({ thanked: true })
    },
    typed() {
      if (visitorOf(store)?.talking) typing.tell()
    },
    identify: identity => introduceAgain({ identity }),
    async forget() {
      disconnect()
      outbox.clear()
      uploads.clear()
      forgetVisitor(store)
      identity = undefined
      clear()
      show({ thanked: false, open: false })
      await introduceAgain({})
    },
  }
}
