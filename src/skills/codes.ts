// How a call can end, and what a model is told of it: that, and how to go on.

/** How far a call came. `done`: it has an output. */
export const STAGES = ['input', 'network', 'http', 'output', 'done'] as const
export type Stage = (typeof STAGES)[number]

export const CODES = [
  'config_required',
  'app_disabled',
  'invalid_input',
  'budget_exhausted',
  'busy',
  'app_unavailable',
  'private_address',
  'dns',
  'tls',
  'timeout',
  'connection',
  'redirect',
  'http_status',
  'not_json',
  'truncated',
  'invalid_output',
] as const
export type Code = (typeof CODES)[number]

/** A call without an output. */
export interface Refusal {
  /** A sentence or two that a model can act on. */
  refused: string
  /** The same for an author and the run log: what happened, and nothing of how a conversation goes on. */
  reason: string
  stage: Stage
  code: Code
}

interface Told {
  stage: Stage
  /** @param skill its name @param why what is known besides, as a sentence or empty */
  words: (skill: string, why: string) => string
  /** How a model goes on. */
  advice: string
}

const GO_ON = 'Go on without it, and do not make up its answer.'
const LATER = 'Go on without it for now.'

const TOLD: Record<Code, Told> = {
  config_required: {
    stage: 'input',
    words: (skill, why) => `${skill} cannot be used yet. ${why} An admin of the workspace has to set it.`,
    advice: GO_ON,
  },
  app_disabled: { stage: 'input', words: skill => `${skill} cannot be used: its app is disabled.`, advice: GO_ON },
  invalid_input: {
    stage: 'input',
    words: (skill, why) => `${skill} was not called. ${why}`,
    advice: 'Correct the arguments and call it again.',
  },
  budget_exhausted: { stage: 'input', words: (skill, why) => `${skill} was not called. ${why}`, advice: 'Go on with what you know.' },
  busy: { stage: 'network', words: skill => `${skill} was not called: too many calls of its app are under way.`, advice: LATER },
  app_unavailable: { stage: 'network', words: skill => `${skill} was not called: its app has not answered lately.`, advice: LATER },
  private_address: {
    stage: 'network',
    words: (skill, why) => `${skill} was not called: its address may not be called. ${why}`,
    advice: GO_ON,
  },
  dns: { stage: 'network', words: (skill, why) => `${skill} could not be reached. ${why}`, advice: GO_ON },
  tls: { stage: 'network', words: (skill, why) => `${skill} could not be reached safely. ${why}`, advice: GO_ON },
  timeout: { stage: 'network', words: (skill, why) => `${skill} did not answer in time. ${why}`, advice: GO_ON },
  connection: { stage: 'network', words: (skill, why) => `${skill} gave no whole answer. ${why}`, advice: GO_ON },
  redirect: { stage: 'http', words: (skill, why) => `${skill} answered with a redirect, which is not followed. ${why}`, advice: GO_ON },
  http_status: { stage: 'http', words: (skill, why) => `${skill} failed. ${why}`, advice: GO_ON },
  not_json: { stage: 'output', words: (skill, why) => `${skill} answered with something that cannot be read. ${why}`, advice: GO_ON },
  truncated: {
    stage: 'output',
    words: (skill, why) => `${skill} answered with too much. ${why}`,
    advice: 'Ask for less, or go on without it.',
  },
  invalid_output: {
    stage: 'output',
    words: (skill, why) => `${skill} answered with something else than it promises. ${why}`,
    advice: GO_ON,
  },
}

/** @param name of the skill @param why a sentence, or none; its full stop may be missing */
export function refusal(code: Code, name: string, why = ''): Refusal {
  const { stage, words, advice } = TOLD[code]
  const reason = words(`The skill “${name}”`, sentence(why)).replaceAll(/ {2,}/g, ' ').trim()
  return { refused: `${reason} ${advice}`, reason, stage, code }
}

/** The words for a failure without an answer, where the app can have taken a request. @param why what is known besides */
export const inDoubt = (why: string): string => `${sentence(why)} It may have done its work all the same.`.trim()

const sentence = (text: string): string => text.trim().replace(/(?<=[^.!?…])$/, '.')
