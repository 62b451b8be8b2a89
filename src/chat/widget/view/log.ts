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

/** So near to the beginning what was said before is asked for. */
const FAR_PX = 200

/** @param goBack asks for what was said before */
export function openLog(label: string, you: string, goBack: () => void): Log {
  const drawn = new Map<string, { element: HTMLElement; mark: string }>()
  const element = el('div', { class: 'log', role: 'log', 'aria-label': label, 'aria-live': 'off', tabindex: 0 })
  const toEnd = (): void => {
    element.scrollTop = element.scrollHeight
  }
  // Who reads further up is left there; else the end stays in sight: also when a picture has loaded, or the keyboard of a phone comes up.
  let atEnd = true
  let lastKey: string | undefined
  element.addEventListener('scroll', () => {
    atEnd = isNearEnd(element)
    if (!atEnd && element.scrollTop < FAR_PX) goBack()
  })
  element.addEventListener('load', () => atEnd && toEnd(), true)
  new ResizeObserver(() => atEnd && toEnd()).observe(element)
  return {
    element,
    toEnd,
    draw(items, settled) {
      const keys = new Set(items.map(({ key }) => key))
      const [read, wasAt] = atEnd ? [] : firstInSight(element)
      for (const [key, { element }] of drawn) {
        if (keys.has(key)) continue
        leave(element)
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
      const last = items.at(-1)
      const hasWritten = last?.from === 'visitor' && last.key !== lastKey
      lastKey = last?.key
      if (atEnd || hasWritten) toEnd()
      // What comes before it pushes nothing away under the reader's eyes.
      else if (read?.isConnected && wasAt !== undefined) element.scrollTop += bottomOf(read) - wasAt
    },
  }

  function entryOf(item: Item): HTMLElement {
    const known = drawn.get(item.key)
    if (known?.mark === item.mark) return known.element
    const entry = known?.element ?? el('div')
    leave(entry)
    const who = el('p', { class: item.name ? 'who' : 'hidden', dir: 'auto' })
    say(who, item.name ?? you)
    entry.replaceChildren(who, ...item.draw().filter(child => child !== undefined && child !== false))
    drawn.set(item.key, { element: entry, mark: item.mark })
    return entry
  }

  // What was pressed goes with its button: the keyboard goes on from the log.
  function leave(entry: HTMLElement): void {
    if (entry.contains((entry.getRootNode() as ShadowRoot).activeElement ?? null)) element.focus()
  }
}

// The name above an entry goes when an earlier entry of the same person comes before it: its words are at its bottom.
const bottomOf = (element: Element): number => element.getBoundingClientRect().bottom

/** The entry that is read, and where it ends. */
function firstInSight(log: Element): [Element?, number?] {
  const { top } = log.getBoundingClientRect()
  // The first one makes way for what was said before it.
  const entry = [...log.children].slice(1).find(each => bottomOf(each) > top)
  return entry ? [entry, bottomOf(entry)] : []
}

const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean => scrollHeight - scrollTop - clientHeight < NEAR_PX

const isWith = (item: Item | undefined, before: Item | undefined): boolean =>
  item !== undefined && before !== undefined && item.from === before.from && item.name === before.name && item.at - before.at < TOGETHER_MS
