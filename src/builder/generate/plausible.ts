// Whether words that were taken as a name can be one. A reader that took part of a clause for the name of a resource, a field or a value took it wrongly.
import type { Manifest } from '../../apps/manifest/shape.ts'

export type Role = 'resource' | 'field' | 'setting' | 'value' | 'tag' | 'skill'
type Parts = Pick<Manifest, 'resources' | 'config' | 'flows' | 'skills'>

/** Words of one or several of which no name consists. */
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const PRONOUNS = words(
  'i we you he she it they me us him them this that these those who whom whose which what there everyone someone somebody nobody anyone its their his my our your themselves itself nothing everything anything something',
)
const AUXILIARIES = words(
  'am is are was were be been being do does did has have had can could may might must shall should will would cannot isnt arent dont doesnt didnt wont cant shouldnt mustnt',
)
const IS = words('am is are was were do does did should must')
const DETERMINERS = words('a an the each every either neither both another any many several all')
const NEGATIONS = words('never only just also always please instead otherwise already ever')
const JOINS = words('and or but because if when whenever while unless although though so than as then')
const BESIDE = words('called named titled labelled namely kept being consisting containing including starting beginning ending ranging')
const BEFORE = words('with without to into onto from by at about after before until till during between against via through')
/** Where a name may end: "bought on", "valid until", "paid at". */
const ENDS = words('on by at from to until till for in of with up off out in over after before')
/** Finite verbs that are no nouns as well. */
const VERBS = words(
  'look looks buy buys pay pays appears appear belongs belong gets get goes go comes come needs wants lets let keeps makes make sends send tells tell asks ask gives give takes take becomes become shows happens happen contains contain consists consist includes include requires require receives receive stays stay lives live lies lie sits begins begin says say knows know wants want remains remain depends depend uses picks pick enter enters choose chooses',
)
/** What is to be done, in front of what it is done to. */
const DEEDS = words(
  'greet give send tell notify inform warn alert remind award grant write let make get put turn set change remove delete rename add create drop show display ask',
)
/** What texts about opening hours are made of. */
const CALENDAR = words(
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays',
)
/** Parts of apps: what is called so is no record, field or value. */
const OF_APPS = words(
  'setting settings secrets tab tabs dashboard flows skill skills field fields page off on secret required mandatory optional needed',
)
const COUNTS = words('two three four five six some more list table register record records resource')
const TYPES = words('string boolean integer enum bool')

const WORDS_MAX: Record<Role, number> = { resource: 5, field: 6, setting: 6, value: 5, tag: 4, skill: 12 }

export function isPlausible(role: Role, name: string): boolean {
  const said = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[\s_-]+/)
    .filter(Boolean)
  const [first = '', ...others] = said
  const last = others.at(-1) ?? ''
  if (said.length === 0 || said.length > WORDS_MAX[role]) return false
  if (said.length === 1)
    return (
      role === 'value' ||
      role === 'tag' ||
      role === 'skill' ||
      !(
        /^(?:one|two|three|four|five)$/.test(first) ||
        PRONOUNS.has(first) ||
        DETERMINERS.has(first) ||
        NEGATIONS.has(first) ||
        AUXILIARIES.has(first) ||
        OF_APPS.has(first)
      )
    )
  if (role === 'skill') return !said.some(word => /^(?:i|we|id|wed|called|which|skill)$/.test(word))
  const has = (set: ReadonlySet<string>, among: readonly string[] = said): boolean => among.some(word => set.has(word))
  // What is a sentence in the words of a choice, as "waiting for it", is a value all the same.
  if (role === 'value')
    return !has(IS) && !has(BESIDE) && !/^(?:one of|value|either|neither|both|each|every|which|that)\b/.test(said.join(' '))
  if (role === 'tag') return !has(IS) && !has(PRONOUNS) && !has(BESIDE) && !NEGATIONS.has(last)
  if (
    has(PRONOUNS) ||
    has(CALENDAR) ||
    has(NEGATIONS) ||
    (has(BESIDE) && !/\bcalled (?:back|off|in|out|up)\b/.test(said.join(' '))) ||
    has(JOINS, role === 'resource' ? said : said.filter(word => word !== 'and'))
  )
    return false
  // "is_active", "the date of the visit"
  if (
    has(AUXILIARIES, AUXILIARIES.has(first) ? others.slice(1) : others) ||
    (role === 'resource' && AUXILIARIES.has(first)) ||
    has(DETERMINERS)
  )
    return false
  // "from year" and "to year" are two ends.
  const isEnd =
    said.length === 2 &&
    role === 'field' &&
    /^(?:from|to|until) (?:year|date|day|time|hour|month|week|page|age|size|price)$/.test(said.join(' '))
  if ((BEFORE.has(first) && !isEnd) || JOINS.has(first) || JOINS.has(last)) return false
  if (role === 'resource')
    return (
      !said.includes('between') &&
      !said.includes('than') &&
      !has(OF_APPS) &&
      !COUNTS.has(first) &&
      !DEEDS.has(first) &&
      !has(VERBS, others) &&
      !ENDS.has(last) &&
      !TYPES.has(last)
    )
  if (role === 'field')
    return (
      !said.includes('dashboard') &&
      first !== 'tab' &&
      !has(
        VERBS,
        others.filter(word => word !== 'use'),
      ) &&
      !TYPES.has(last) &&
      !/\bsecret\b|\bsetting\b/.test(said.join(' '))
    )
  return !has(VERBS, others) && !TYPES.has(last)
}

/** Every name in a manifest, each with its role in front. */
export function namesOf({ resources = [], config = [], flows = [], skills = [] }: Parts): Map<string, { role: Role; name: string }> {
  const found = new Map<string, { role: Role; name: string }>()
  const take = (role: Role, name: string, within = ''): void => void found.set(`${role} ${within} ${name}`, { role, name })
  for (const { id, name, fields } of resources) {
    take('resource', name, id)
    for (const field of fields) {
      take('field', field.name, id)
      for (const value of field.enumValues ?? []) take('value', value, `${id}.${field.name}`)
    }
  }
  for (const { key, enumValues = [] } of config) {
    take('setting', key)
    for (const value of enumValues) take('value', value, key)
  }
  for (const { id, steps } of flows) for (const step of steps) if (step.type === 'tag_contact') take('tag', step.tag, id)
  for (const { id, name } of skills) take('skill', name, id)
  for (const { id, inputSchema } of skills)
    for (const name of Object.keys((inputSchema['properties'] ?? {}) as object)) take('setting', name, id)
  return found
}
