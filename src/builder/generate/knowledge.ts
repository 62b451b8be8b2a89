// Sentences about what the assistant should know.
import { type Draft, put, understood } from './draft.ts'
import { ASSISTANT, free, idOf, sentenceOf, titleOf } from './names.ts'
import { QUOTE } from './sentences.ts'

/** "our returns policy: …": of what the text is, before it. */
const TOPIC = '(?:(?:(?:about|of|on) )?(?:our |the |my )?(?<topic>[^:«]{1,60}):\\s+)?'
const KNOWS = new RegExp(
  `^(?:it would (?:help|be (?:good|nice|great)) if |make sure (?:that )?|(?:if|when) (?:customers?|people|someone|somebody|anybody|they|asked)(?: asks?)?(?: about it)?,? )?${ASSISTANT} (?:(?:should|must|needs to|has to|ought to|can|may|shall)(?: also| always| too)? (?:know(?: too| also| as well)?|remember|keep in mind|be told|be aware|understand|(?:say|tell|answer|explain)(?: to)?(?: people| customers| them| everyone| clients)?(?= that))|knows?|knew|remembers|is aware)(?: that)?:?\\s+${TOPIC}(.+)$`,
  'i',
)
const ENTRY =
  /^(?:(?:please|also|and) )*(?:add )?(?:as )?(?:some )?(?:knowledge|faqs?|facts?|information|info)(?: entry| entries| text| for the (?:assistant|bot))?(?:(?: (?:about|on|for) (?<topic>[^:«]{1,60}?))?(?: that says| saying| that|(?<=(?:about|on|for) [^:«]{1,60}):)|:)?\s+(.+)$/i
const TOLD = new RegExp(
  `^(?:remember|note|(?:tell|teach|inform|remind)(?: ${ASSISTANT})|let ${ASSISTANT} know|(?:something|what|a thing|things) ${ASSISTANT} (?:should|must|has to|needs to) know|explain to ${ASSISTANT})(?: (?:(?:about|of) |(?=(?:our|the|my) [^:«]{2,60}:))(?<topic>[^:«]{1,60}):| that|:)\\s+(.+)$`,
  'i',
)

/** "Knowledge for the assistant, titled …: …", "there is a knowledge entry «…» that says …" */
const TITLED = new RegExp(
  `^(?:(?:please|also|and|then) )*(?:(?:add|create|write|keep|there (?:is|should be)|${ASSISTANT} (?:needs|gets|should have|has|should know)) )?(?:(?:an?|some|another|the|one|new) )*(?:(?:knowledge|faq|fact|information|info)(?: (?:entry|text|article))?|(?:text|entry|article) for ${ASSISTANT}|(?=under the title))(?: for ${ASSISTANT})?[,:]? ?(?:(?:(?:with|under) )?(?:the |a )?(?:titled?|called|named|about|headed|title|topic)(?: of)?:? )?(?:(?<quoted>${QUOTE})|(?<=(?:titled|called|named|headed|title) )(?<plain>[^:«»]{2,60}(?=:)))[,:]?(?: (?:[-–—]|and|with|that|which|saying|says|reads|reading|(?:the |its )?(?:text|content|words)|is))*:? ?(?<text>${QUOTE}|[^«»]{3,2000})$`,
  'i',
)

/** "If somebody asks about gift wrapping, the assistant should answer that it costs 3 euros." */
const ASKED = new RegExp(
  `^((?:if|when|whenever) (?:an? |the )?(?:customers?|people|someone|somebody|anybody|anyone|visitors?|they) (?:asks?|wants? to know|enquires?) (?:about |for |if |whether |how |what |when |where |why )[^,]{2,80}), ${ASSISTANT} (?:should|must|can|may|has to|needs to|shall) ((?:say|tell|answer|reply|explain|mention|point out|let)\\b.{3,400})$`,
  'i',
)

/** "Test rides. Test rides are free." has its title in front. */
const HEADED = /^(\p{Lu}[^.!?:]{2,40})[.:] (?=\p{Lu})/u

/** "The assistant should know that points expire after a year." */
export function readKnowledge(draft: Draft, sentence: string): boolean {
  const { quoted: heading, plain: topic, text } = TITLED.exec(sentence)?.groups ?? {}
  if ((heading ?? topic) && text)
    return keep(
      draft,
      heading ? draft.said.quote(heading) : titleOf(topic as string),
      text.startsWith('«') ? draft.said.quote(text) : sentenceOf(draft.said.restore(text)),
    )
  const [, asked, answer] = ASKED.exec(sentence) ?? []
  if (asked && answer)
    return keep(
      draft,
      titleOf(asked.replace(/^.*? (?:about|for|if|whether|to know) /i, '')).slice(0, 60),
      sentenceOf(draft.said.restore(`${asked}, ${answer}`)),
    )
  const found =
    KNOWS.exec(sentence) ??
    /^(?:(?:and |also )*)it (?:should|must|needs to|ought to)(?: also)? (?:know|be aware)(?:(?: about| of)? (?:(?:our|the|my) )?(?<topic>[^:«]{2,60}):| that|:)?\s+(.+)$/i.exec(
      sentence,
    ) ??
    /^(?:add|put|write) (?:this |the following |it )?(?:to|into) (?:what (?:the |our )?(?:assistant|bot|ai) knows|(?:the |its )?(?:assistant's |bot's )?knowledge(?: base)?):?\s+(.+)$/i.exec(
      sentence,
    ) ??
    ENTRY.exec(sentence) ??
    TOLD.exec(sentence)
  // "Our return policy is 30 days. The assistant should know that."
  const isBefore = /^(?:that|this|it|so)$/i.test(found?.at(-1) ?? '')
  if (isBefore) understood(draft, draft.before)
  const words = isBefore ? draft.before : found?.at(-1)
  // What it should know of, and nothing of what that is.
  if (words === undefined || words === '' || /^(?:about|of|how to|how|what|why|when|where) /i.test(words)) return false
  // "know that A and that B": each is an entry.
  const [first = '', ...more] = words.includes('«') ? [] : words.split(/,? and that (?=\S+ )/i)
  if (more.length > 0 && !isBefore)
    return [first, ...more]
      .map(each => sentenceOf(draft.said.restore(each)))
      .map(each =>
        keep(
          draft,
          titleOf(each)
            .slice(0, 60)
            .replace(/[.!?]$/, ''),
          each,
        ),
      )
      .every(Boolean)
  // "know: «…» and «…»": each is an entry.
  const marks = [...words.matchAll(new RegExp(QUOTE, 'g'))]
  if (marks.length > 1 && words.replaceAll(new RegExp(`${QUOTE}|\\band\\b|also|[\\s,;]`, 'gi'), '') === '')
    return marks
      .map(([each]) =>
        keep(
          draft,
          titleOf(draft.said.quote(each))
            .slice(0, 60)
            .replace(/[.!?]$/, ''),
          draft.said.quote(each),
        ),
      )
      .every(Boolean)
  const [, mark, rest = ''] =
    new RegExp(
      `^(?:(?:our|the|a|this|about) )*(?:[\\w-]+,? )?(?:(?:titled|called|named|under the title) )?(${QUOTE})[:,]? (.{5,2000})$`,
      'i',
    )
      .exec(words)
      ?.filter((_each, at) => at !== 2) ?? []
  if (mark) return keep(draft, draft.said.quote(mark), rest.startsWith('«') ? draft.said.quote(rest) : sentenceOf(draft.said.restore(rest)))
  const quoted = new RegExp(QUOTE).exec(words)?.[0]
  const content = quoted ? draft.said.quote(quoted) : sentenceOf(draft.said.restore(words))
  if (content.trim() === '') return false
  const [head, called = ''] = found?.groups?.['topic'] === undefined ? (HEADED.exec(content) ?? []) : []
  if (head && called.split(' ').length <= 4 && !/\b(?:is|are|can|we|you|has|have|do|does)\b/i.test(called))
    return keep(draft, called, content.slice(head.length))
  const title = titleOf(found?.groups?.['topic'] ?? content)
    .slice(0, 60)
    .replace(/[.!?]$/, '')
  return keep(draft, title, content)
}

function keep(draft: Draft, title: string, content: string): boolean {
  const { knowledge } = draft.manifest
  put(draft, 'knowledge', {
    id: free(
      idOf(title.split(' ').slice(0, 4).join(' '), 'text'),
      knowledge.map(({ id }) => id),
    ),
    title,
    content,
  })
  return true
}
