// Small parts of pages.
import type { ComponentChildren, VNode } from 'preact'

export interface NoticeProps {
  kind?: 'good' | 'bad' | 'warning'
  children: ComponentChildren
}

/** What a person should see before anything else. */
export function Notice({ kind = 'good', children }: NoticeProps): VNode {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** Text to be taken elsewhere: a key, an address, a command. With scripts it has a button that copies it. */
export function Copyable({ label, children }: { label: string; children: string }): VNode {
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </section>
  )
}

/** What a stranger says of themselves, set apart from what is known: in quotes, with its direction its own, and without what cannot be seen. */
export function Said({ children }: { children: string }): VNode {
  return (
    <q class="said">
      <bdi>{visible(children)}</bdi>
    </q>
  )
}

/** A stranger's text as far as a person can see it. */
export const visible = (text: string): string =>
  // Most are plain, which is found out sooner.
  (/^[ -~]*$/.test(text) ? text : text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')).trim()

/** A sentence, in which `…` stands around what is typed or read as it is. */
export const Words = ({ children }: { children: string }): VNode => (
  <>{children.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)

/** A moment, in the reader's words by a script, and in UTC without one. @param never what stands where there is none */
export function Time({ at, never = '–' }: { at: Date | null; never?: string }): VNode {
  if (!at) return <>{never}</>
  const text = at.toISOString()
  return <time dateTime={text}>{`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`}</time>
}
