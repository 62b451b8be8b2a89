import type { Update } from '../../../conversations/update.ts'
import { entry, id, type Json, text } from '../value.ts'
import type { Of } from './of.ts'

/** Where the picture is missing the word tells it. */
const EMOJI: Record<string, string> = {
  love: '❤️',
  like: '👍',
  dislike: '👎',
  laugh: '😆',
  smile: '😆',
  haha: '😆',
  wow: '😮',
  sad: '😢',
  angry: '😠',
}

export function readReaction(value: Json, { thread, at, by }: Of): Update[] {
  const external_id = id(value['mid'])
  if (!external_id) return [{ kind: 'ignored', reason: 'reaction: it names no message' }]
  if (value['action'] === 'unreact') return [{ kind: 'reaction', thread, at, external_id, emoji: null, by }]
  const emoji = text(value['emoji']) ?? entry(EMOJI, text(value['reaction']) ?? '')
  return emoji ? [{ kind: 'reaction', thread, at, external_id, emoji, by }] : [{ kind: 'ignored', reason: 'reaction: it is no emoji' }]
}
