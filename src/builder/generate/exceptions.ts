// What is taken away from what was said: "unless it is paid by card", "but not for orders under 20", "except to Norway".
import type { Condition } from '../../apps/manifest/shape.ts'
import { conditionsOf, opposite } from './conditions.ts'
import type { Description } from './sentences.ts'

const BEGINS =
  '(?:unless|except(?:ing)?(?: (?:if|when|where|for|in case))?|(?:but |and )?(?:not|never) (?:if|when|where|for|in case|about|on|with|(?=(?:those|the ones|ones|orders)\\b))|apart from|other than|excluding|leaving out|save for)'
const EXCEPTION = new RegExp(
  `(?:^|,? \\(?| [-–—] )${BEGINS} ([^,()]{3,120}?)\\)?(?=,|$| (?:gets?|should|must|has to|have to|is to|are to|will|receives?)\\b)`,
  'gi',
)

/** @returns each exception in a sentence, and the sentence without it */
export function* exceptionsIn(text: string): Generator<{ rest: string; words: string }> {
  for (const { index, 0: all, 1: words = '' } of text.matchAll(EXCEPTION))
    yield { rest: (text.slice(0, index) + text.slice(index + all.length)).replaceAll(/\s+,/g, ',').replace(/^[\s,]+/, ''), words }
}

/** @returns the conditions under which an exception is none; undefined where they cannot be said */
export function excepted(words: string, event: string, said: Description): Condition[] | undefined {
  if (/\b(?:no (?!smaller|less|more|lower|bigger)|nothing)\b/i.test(words)) return undefined
  const { conditions, left } = conditionsOf(words, event, said)
  return left === '' ? opposite(conditions) : undefined
}
