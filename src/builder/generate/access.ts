// Sentences about what the assistant may do with records.
import type { Resource } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { relate, resourceFor, resourceNamed } from './drafted-resources.ts'
import { ASSISTANT, bare, isStandIn } from './names.ts'

const CAN = '(?:is |are )?(?:can|may|should|could|must|shall|allowed|able)(?: (?:be )?(?:able|allowed))?(?: to)?(?: be able to)?'
const NOT =
  "(?:can ?not|can't|may not|must not|(?:is|are) (?:not|no longer|never) to|mustn't|should not|shouldn't|should no longer|may no longer|is not allowed to|isn't allowed to|should never|must never|(?:shall|should|must|may|is|will) (?:not|no longer|never)(?: be)?(?: (?:allowed|able|permitted))?(?: to)?)"
const READS = /\b(?:read|see|seen|view|use|look at|look up|query|access|answer questions about|know)\b/i
const WRITES =
  /\b(?:write|written|create|save|add|change|changed|edit|make|fill|fill in|update|modify|touch|delete|record|store|log|enter|book|register)\b/i

/** "The assistant has read and write access to them", "give the bot read access" */
const ACCESS = new RegExp(
  `^(?:${ASSISTANT} (?:(?:should|must|may|can) )?(?:has|have|gets?|needs?)|(?:give|grant) ${ASSISTANT}) (?:an? )?((?:read(?:ing)?|writ(?:e|ing)|full|read-only|and|or|,|\\s)+?) ?(?:access|rights?|permissions?)(?: (?:to|on|for) (.{2,40}))?$`,
  'i',
)
const EXPOSE = new RegExp(`^(?:expose|show|make) (.{2,40}?)(?: (?:visible|readable|available|accessible))? (?:to|for) ${ASSISTANT}$`, 'i')

/** "Make visits readable and writable for the assistant." */
const OPENED = new RegExp(
  `^make (.{2,40}?) ((?:(?:readable|visible) and )?(?:writable|writeable|editable|changeable)(?: and (?:readable|visible))?) (?:to|for|by) ${ASSISTANT}$`,
  'i',
)

const ALONE = new RegExp(
  `^(?:please )?(?:(?:let|allow) ${ASSISTANT}(?: to)?|${ASSISTANT} ${CAN})(?: also)? (?:(?:read|see|view|look at|look up|write|change|edit|update|create|add|save|make|modify|and|or|also|to)(?:,? ))+(?:(?:the|all|these|any|new) )*[\\p{L} -]{2,30}(?: too| as well)?$`,
  'iu',
)

/** "The assistant may still read pets, but no longer write them." */
const BUT_NOT = new RegExp(
  `^${ASSISTANT} ${CAN}(?: still| only)? (?:read|see|view|write|change|edit|update|create)(?: [\\p{L} -]{2,40})?,? (?:but|and) (?:(?:it )?(?:may|can|must|should|is|are) )?(?:not|never|no longer)(?: to)?(?: any ?more)? (?:read|see|view|write|change|edit|update|create)(?: (?:it|them|these|those))?(?: any ?more| any longer)?$`,
  'iu',
)

/** Nothing but what the assistant may do with what: no edit stands in it. */
export const isAccess = (text: string): boolean =>
  ALONE.test(text) || BUT_NOT.test(text) || STILL.test(text) || ACCESS.test(text) || OPENED.test(text) || EXPOSE.test(text)

/** "Let complaints be read by the assistant." */
const PASSIVE = /^(?:let|make|have) (.{2,60}?) (?:be )?(?=(?:visible|readable|shown|seen|read|accessible|writable|written|changed)\b)/i

/** "Care notes should not be visible to the assistant any longer." */
const VISIBLE = new RegExp(
  `^(.{2,60}?) (?:should|must|may|can|shall|has to|have to|is to|are to|is|are|be)( not| no longer| never)? (?:be )?(visible|readable|shown|seen|read|accessible|hidden|writable|written|changed|exposed)(?: for| to| by| from) ${ASSISTANT}(?: any ?more| any longer)?$`,
  'i',
)

const STILL = new RegExp(
  `^(${ASSISTANT} ${NOT} .+?),? (?:but|though|yet) (?:(?:it|they|${ASSISTANT}) )?(?:may|can|should)(?: (?:still|only|just))*(?: (?:be able|continue) to)? (.+)$`,
  'i',
)

/** "The assistant may read and write bookings.", "The bot must not see the points." */
export function readAccess(draft: Draft, told: string): boolean {
  // "… may no longer write pets, but it may still read them"
  const [, first, kept] = STILL.exec(told) ?? []
  if (first !== undefined) {
    const isRead = readAccess(draft, first) && readAccess(draft, `the assistant may ${kept}`)
    return isRead
  }
  const sentence = told
    .replace(/\bcan(?:'t|not)\b/gi, 'can not')
    .replace(/\b(should|must|is|are)n't\b/gi, '$1 not')
    .replace(
      ACCESS,
      (_all, how: string, name = 'them') =>
        `the assistant may ${/full|write|chang/i.test(how) ? (/read|full/i.test(how) ? 'read and write' : 'write') : 'read'} ${name}`,
    )
    .replace(
      new RegExp(
        `^${ASSISTANT}: (?:can |may )?((?:read|see|write|change|create)(?:(?:,| and| or)+ (?:read|see|write|change|create))*)$`,
        'i',
      ),
      'the assistant may $1 them',
    )
    .replace(OPENED, (_all, name: string, how: string) => `the assistant may ${/read|vis/i.test(how) ? 'read and write' : 'write'} ${name}`)
    .replace(EXPOSE, 'the assistant may read $1')
    .replace(new RegExp(`^(${ASSISTANT} ${CAN} )look (.{2,40}) up$`, 'i'), '$1look up $2')
    .replace(
      new RegExp(
        `^(.{2,40}?) (?:may|can|should|must) be (read|seen|written|changed) by ${ASSISTANT},? but (?:not|never) (?:be )?(read|seen|written|changed)(?: by it)?$`,
        'i',
      ),
      (_all, name: string, may: string, not: string) =>
        `the assistant may ${/read|seen/i.test(may) ? 'read' : 'write'} ${name} but not ${/read|seen/i.test(not) ? 'read' : 'write'} them`,
    )
    .replace(PASSIVE, '$1 may be ')
    .replace(
      VISIBLE,
      (_all, name: string, not: string | undefined, how: string) =>
        `the assistant ${not !== undefined || /hidden/i.test(how) ? 'must not' : 'may'} ${/writ|chang/i.test(how) ? 'write' : 'see'} ${name}`,
    )
  const only = /,? (?:but )?(?:only|just) (?:to )?(?:read|see|view)(?: (?:it|them|these|those))?$/i
  const denied = new RegExp(`^${ASSISTANT} ${NOT}(?: be able to)? (.+?)(?: any ?more| any longer)?$`, 'i').exec(
    sentence.replace(only, ''),
  )?.[1]
  const allowed =
    new RegExp(`^${ASSISTANT} ${CAN}(?: also| too)? (.+)$`, 'i').exec(sentence)?.[1] ??
    new RegExp(`^(?:and |also |please )*(?:let|allow) ${ASSISTANT} (?:to )?(?:also )?(.+)$`, 'i').exec(sentence)?.[1] ??
    new RegExp(
      `^(?:and )?(?:it|they) (?:may|can|should) be ((?:read|seen|written|changed)(?: and (?:written|changed))? by ${ASSISTANT})$`,
      'i',
    ).exec(sentence)?.[1]
  if (denied === undefined && allowed === undefined) return false
  // What is said of another thing behind "and" is a clause of its own.
  if (/,? and (?:the )?[\p{L} -]{2,30} (?:should|must|may|can|shall) /iu.test(denied ?? allowed ?? '')) return false
  // "see prescriptions but not change them", "read them, never write them"
  const [words = '', ...others] = (allowed ?? '')
    .replace(/^be able to /i, '')
    .replace(/^(?:still|only|continue to) /i, '')
    .split(/(?:,? (?:but|and)|,)(?: (?:it )?(?:may|can|must|should|is|are))? (?:not|never|no longer)(?: to)? /i)
  const no = denied ?? others.join(' ')
  const said = denied ?? words
  if (!READS.test(said) && !WRITES.test(said)) return false
  const resource = namedIn(draft, said) ?? (denied === undefined ? begun(draft, said) : undefined)
  // What is told behind it is not seen anyway.
  const isForeseen = denied !== undefined && draft.foreseen.resources.some(({ name }) => said.toLowerCase().includes(name.toLowerCase()))
  if (!resource && isForeseen) {
    draft.isSettled = true
    return true
  }
  if (!resource) return false
  // It may be so already.
  draft.isSettled = true
  draft.resource = resource
  if (READS.test(words) || (denied !== undefined && only.test(sentence))) resource.exposeToAi = true
  if (WRITES.test(words)) resource.allowAiWrite = true
  if (READS.test(no)) delete resource.exposeToAi
  if (WRITES.test(no)) delete resource.allowAiWrite
  return true
}

function namedIn(draft: Draft, words: string): Resource | undefined {
  const named = words
    .split(/\s+/)
    .map((_word, at, all) => resourceNamed(draft, all.slice(at).join(' ')) ?? resourceNamed(draft, all[at] as string))
  const found = named.find(each => each !== undefined)
  if (found) return found
  // "read fines", which are told of behind it: not the only ones that there are so far.
  const isOther = draft.foreseen.resources.some(({ name }) => words.toLowerCase().includes(name.toLowerCase()))
  return /\b(?:them|it|these|those|records|ones)\b/i.test(words) || (draft.manifest.resources.length === 1 && !isOther)
    ? draft.resource
    : undefined
}

/** What it may see is told before what that is. */
function begun(draft: Draft, words: string): Resource | undefined {
  const [, owner, name = ''] =
    /^(?:\w+(?:,| and| or) )?(?:\w+ )??(?:read|see|view|look up|look at|create|add|save|change|update|use|write|make|edit)(?: and \w+)? (?:all |any |the |our )*(?:(customers?'s?|customers') )?([\p{L} -]{3,40})$/iu.exec(
      words,
    ) ?? []
  const plain = bare(
    name.replace(
      / and (?:(?:it )?(?:may|can|should|must) )?(?:also )?(?:write|create|change|add|edit|update)(?: (?:them|it|(?:new )?ones))?$/i,
      '',
    ),
  )
  if (/ (?:by|of an?|from|with) /i.test(plain)) return undefined
  if (
    plain === '' ||
    isStandIn(plain) ||
    /\b(?:orders?|products?|customers?|contacts?|conversations?|messages?|stock|them|it)\b/i.test(plain)
  )
    return undefined
  const resource = resourceFor(draft, plain)
  if (resource && owner) relate(resource, 'builtin:contact')
  return resource
}
