// What an app is called, by whom it is, its version and its description: "Name: Parcel Watch", "set the author to Acme", "make it version 2.0.0".
import type { Draft } from './draft.ts'
import { titleOf } from './names.ts'
import { QUOTE } from './sentences.ts'
import { unquoted } from './targets.ts'

const WHAT = '(?<what>name|version|author|publisher|maker|description)'
const OF_APP = '(?: (?:of|for) (?:the|this|our|my) app)?'
const RULES = [
  new RegExp(
    `^(?:the |this |our |my )?(?:app(?:lication)?(?:'s)? )?${WHAT}(?: number)?${OF_APP}(?: (?:is|should be|is to be|will be))?: ?(?<value>.+)$`,
    'i',
  ),
  new RegExp(`^(?:the |this |our |my )?(?:app(?:lication)?'s |app )${WHAT}(?: number)? (?:is|should be|becomes) (?<value>.+)$`, 'i'),
  new RegExp(
    `^(?:set|change|make|put|bump|raise|update) (?:the )?(?:app(?:lication)?(?:'s)? )?(?<what>version|author|publisher|maker)(?: number)?${OF_APP} (?:to |be |into )?(?<value>.+)$`,
    'i',
  ),
  new RegExp(
    `^(?:set|change|make|update) (?:the |this )?(?:app(?:lication)?(?:'s)? ${WHAT}|${WHAT.replace('what', 'what2')} (?:of|for) (?:the|this|our|my) app) (?:to |be |into )?(?<value>.+)$`,
    'i',
  ),
  /^(?:[Tt]he|[Ii]ts) (?<what>author|publisher|maker) (?:is|should be|becomes|will be)(?: now)? (?<value>\p{Lu}.*)$/u,
  /^(?:[Tt]he |[Ii]ts )(?<what>name) (?:is|should be|will be)(?: now)? (?<value>\p{Lu}.*)$/u,
  /^(?:the )?(?<what>version)(?: number)? (?<value>v?\d+\.\d+\.\d+)$/i,
  /^(?:make|call) (?:it|this|that|the app) (?<what>version) (?<value>.+)$/i,
  /^(?:it|this|the app) (?:should be|is) (?:now )?(?<what>version) (?<value>.+)$/i,
  /^(?:it|this|the app) (?:is|was) (?:made|written|built|published) by (?<value>.+)$/i,
]
const VERSION = /^v?\d{1,6}\.\d{1,6}\.\d{1,6}$/

export function readAbout(draft: Draft, sentence: string): boolean {
  const found = RULES.map(pattern => pattern.exec(sentence)?.groups).find(groups => groups !== undefined)
  if (!found) return false
  const value = unquoted(draft, found['value'] ?? '').trim()
  const isShort = value.split(/\s+/).length <= 6 && (!/[,:;]/.test(value) || new RegExp(`^${QUOTE}$`).test(found['value'] ?? ''))
  switch ((found['what'] ?? found['what2'] ?? 'author').toLowerCase()) {
    case 'version':
      if (!VERSION.test(value)) return false
      draft.manifest.version = value.replace(/^v/i, '')
      return true
    case 'description':
      draft.manifest.description = value.slice(0, 2_000)
      return true
    case 'name':
      if (!isShort || /^(?:text|string|required|an? )/i.test(value)) return false
      draft.manifest.name = titleOf(value)
      return true
    default:
      if (!isShort) return false
      draft.manifest.author = value
      return true
  }
}
