// The talk as a log: entries are added at its end and changed in place, so that a screen reader speaks what is new and nothing twice.
import { el, say, set } from './dom.ts'
import type { Item } from './item.ts'

export interface Log {
  element: HTMLElement
  /** @param settled what comes from now on is new, and may be spoken */
  draw(items: Item[], settled: boolean): void
  toEnd(): void
}

/** Entries of one side within this time stand together under one name. */
const TOGETHER_MS = 300_000
/** So near to the end counts as at the end. */
const NEAR_PX = 80

export function openLog(label: string, you: string): Log {
  const drawn = new Map<string, { element: HTMLElement; mark: string }>()
  const element = el('div', { class: 'log', role: 'log', 'aria-label': label, 'aria-live': 'off', tabindex: 0 })
  const toEnd = (): void => {
    element.scrollTop = element.scrollHeight
  }
  // Who reads further up is left there; else the end stays in sight: also when a picture has loaded, or the keyboard of a phone comes up.
  let atEnd = true
  element.addEventListener('scroll', () => {
    atEnd = isNearEnd(element)
  })
  element.addEventListener('load', () => atEnd && toEnd(), true)
  new ResizeObserver(() => atEnd && toEnd()).observe(element)
  return {
    element,
    toEnd,
    draw(items, settled) {
      const keys = new Set(items.map(({ key }) => key))
      for (const [key, { element }] of drawn) {
        if (keys.has(key)) continue
        element.remove()
        drawn.delete(key)
      }
      let before: Element | null = null
      items.forEach((item, index) => {
        const entry = entryOf(item)
        // Moved only when it is elsewhere: a moved one would be spoken again.
        const place: Element | null = before ? before.nextElementSibling : element.firstElementChild
        if (place !== entry) element.insertBefore(entry, place)
        before = entry
        const [last, next] = [items[index - 1], items[index + 1]]
        set(entry, 'class', `entry ${item.from}${isWith(item, last) ? '' : ' first'}${isWith(next, item) ? '' : ' last'}`)
      })
      set(element, 'aria-live', settled ? 'polite' : 'off')
      if (atEnd || items.at(-1)?.from === 'visitor') toEnd()
    },
  }

  function entryOf(item: Item): HTMLElement {
    const known = drawn.get(item.key)
    if (known?.mark === item.mark) return known.element
    const entry = known?.element ?? el('div')
    const focused = entry.contains((entry.getRootNode() as ShadowRoot).activeElement ?? null)
    const who = el('p', { class: item.name ? 'who' : 'hidden', dir: 'auto' })
    say(who, item.name ?? you)
    entry.replaceChildren(who, ...item.draw().filter(child => child !== undefined && child !== false))
    // What was pressed is gone with its button: the keyboard goes on from the log.
    if (focused) element.focus()
    drawn.set(item.key, { element: entry, mark: item.mark })
    return entry
  }
}

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean => scrollHeight - scrollTop - clientHeight < NEAR_PX

const isWith = (item: Item | undefined, before: Item | undefined): boolean =>
  item !== undefined && before !== undefined && item.from === before.from && item.name === before.name && item.at - before.at < TOGETHER_MS
