// The messages that are known, in order. Each may come several times, by the stream, by a list and from another tab: the newest word counts.
import type { ChatMessage } from '../schema.ts'

export interface Talk {
  messages(): ChatMessage[]
  /** @returns whether something is new */
  merge(incoming: ChatMessage[]): boolean
  /** The ids of the newest and the oldest; undefined when there is none. */
  last(): string | undefined
  first(): string | undefined
  /** @returns whether it was said before the oldest one that is known */
  isBefore(message: ChatMessage): boolean
  /** Those that were said before it are not known any more. */
  dropBefore(message: ChatMessage): void
  clear(): void
}

export function openTalk(): Talk {
  let known = new Map<string, ChatMessage>()
  let sorted: ChatMessage[] = []
  return {
    messages: () => sorted,
    merge(incoming) {
      const news = incoming.filter(each => isNews(known.get(each.id), each))
      for (const each of news) known.set(each.id, each)
      if (news.length > 0) sorted = [...known.values()].sort(inOrder)
      return news.length > 0
    },
    last: () => sorted.at(-1)?.id,
    first: () => sorted[0]?.id,
    isBefore: message => sorted[0] !== undefined && inOrder(message, sorted[0]) < 0 && !known.has(message.id),
    dropBefore(message) {
      sorted = sorted.filter(each => each.id === message.id || inOrder(message, each) < 0)
      known = new Map(sorted.map(each => [each.id, each]))
    },
    clear() {
      known = new Map()
      sorted = []
    },
  }
}

// A list that was asked for before an edit may arrive after it.
const isNews = (old: ChatMessage | undefined, incoming: ChatMessage): boolean =>
  !old || (!old.deleted_at && (old.edited_at ?? '') <= (incoming.edited_at ?? '') && JSON.stringify(old) !== JSON.stringify(incoming))

const inOrder = (a: ChatMessage, b: ChatMessage): number => (a.created_at + a.id < b.created_at + b.id ? -1 : 1)
