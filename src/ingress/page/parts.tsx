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

/** A moment, in the reader's words by a script, and in UTC without one. */
export function Time({ at }: { at: Date }): VNode {
  const text = at.toISOString()
  return <time dateTime={text}>{`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`}</time>
}
