// What of a flow people mean by "the wait", "tagging", "the ticket has been saved", "the reminder".
import type { Flow, Step } from '../../apps/manifest/shape.ts'
import { stemOf } from './coverage.ts'
import type { Draft } from './draft.ts'
import { flowWords } from './flow-words.ts'
import { isSame } from './names.ts'
import { plainVerb } from './verbs.ts'

const DEEDS: [RegExp, Step['type']][] = [
  [/\b(?:tag|label|mark)(?:s|ged|ging|led|ling|ed|ing)?\b/i, 'tag_contact'],
  [
    /\b(?:notif\w+|alert\w*|warn\w*|inform\w*)\b|\b(?:tell|telling|told|mail|mailing|message|messaging|ping) (?:the |our )?(?:team|us|staff|admins?)\b|\bteam (?:is|gets|has been) (?:told|notified|informed|warned|alerted)\b/i,
    'notify',
  ],
  [/\b(?:messag\w*|writ\w+|send|sends|sending|sent|remind\w*|greet\w*|text|ask\w*|thank\w*|reply|replying|say|saying)\b/i, 'send_message'],
  [/\b(?:wait\w*|paus\w*|delay\w*|break)\b/i, 'wait'],
  [/\b(?:call\w*|request\w*|ask the service|skill|endpoint|issu\w+|post\w*)\b/i, 'call_skill'],
  [/\b(?:record\w*|creat\w+|sav\w+|stor\w+|keep\w*|kept|log\w*|made|making|add\w*|writ\w+ down)\b/i, 'create_record'],
]

/** @returns the kind of step that some words are about */
export const typeOfDeed = (words: string): Step['type'] | undefined => DEEDS.find(([pattern]) => pattern.test(words))?.[1]

/** The step that some words are about, of the flow that is spoken of before others. */
export function stepIn(draft: Draft, words: string): { flow: Flow; step: Step } | undefined {
  const flows = [...draft.manifest.flows].sort((one, other) => Number(other === draft.flow) - Number(one === draft.flow))
  const said = words.replace(/^(?:the |a |an )+/i, '')
  for (const flow of flows) for (const step of flow.steps) if (isSame(step.id, said.replace(/ step$/i, ''))) return { flow, step }
  const resource = draft.manifest.resources.find(({ id, name }) =>
    said.split(/\s+/).some(word => word.length > 2 && (isSame(id, word) || isSame(name, word))),
  )
  const skill = draft.manifest.skills.find(({ id, name }) =>
    said.split(/\s+/).some(word => word.length > 2 && [word, plainVerb(word)].some(each => isSame(id, each) || isSame(name, each))),
  )
  const type = typeOfDeed(said)
  // "before reserving": of the flow that is called so, what it begins with.
  const called = flows.find(({ id, name }) => [id, name].some(each => stemOf(each.toLowerCase()) === stemOf(said.toLowerCase())))
  const first = called?.steps.find(step => step.type === 'call_skill') ?? called?.steps[0]
  if (called && first && type === undefined) return { flow: called, step: first }
  for (const flow of flows)
    for (const step of flow.steps) {
      if ('resource' in step && resource?.id === step.resource && type !== 'tag_contact' && type !== 'wait') return { flow, step }
      if (step.type === 'call_skill' && skill?.id === step.skill && type !== 'create_record') return { flow, step }
    }
  const doing = flows.flatMap(flow => {
    const step = flow.steps.find(each => each.type === type)
    return step ? [{ flow, step }] : []
  })
  return doing.length < 2 || doing[0]?.flow === draft.flow ? doing[0] : meantBy(said, doing)
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []

/** The words choose one of several flows that do it; they choose none where they could be about another. */
function meantBy<T extends { flow: Flow }>(said: string, among: readonly T[]): T | undefined {
  const words = new Set(wordsIn(said))
  const count = ({ flow }: T): number => {
    const tags = flow.steps.flatMap(step => (step.type === 'tag_contact' ? wordsIn(step.tag).map(stemOf) : []))
    const own = new Set([...flowWords(flow), ...wordsIn(`${flow.name} ${flow.id}`)])
    const stems = new Set(wordsIn(`${flow.name} ${flow.id}`).map(stemOf))
    return [...words].filter(word => own.has(word) || stems.has(stemOf(word)) || tags.includes(stemOf(word))).length
  }
  const [best, next] = among.map(each => ({ each, hits: count(each) })).sort((one, other) => other.hits - one.hits)
  return best && best.hits > (next?.hits ?? 0) ? best.each : undefined
}
