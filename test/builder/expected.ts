// The words in which manifests are expected of descriptions, and three small apps that are edited. Ids and wording are not compared.
import type { Manifest } from '../../src/apps/manifest/shape.ts'

type Parts = Partial<Pick<Manifest, 'resources' | 'skills' | 'views' | 'knowledge' | 'config' | 'flows'>>
type Resource = NonNullable<Manifest['resources']>[number]
type Flow = NonNullable<Manifest['flows']>[number]
type View = NonNullable<Manifest['views']>[number]
type Step = Flow['steps'][number]

export interface Described {
  text: string
  /** The manifest that is edited. */
  from?: Manifest
  gives: Parts
  /** What cannot be said in a manifest: it is quoted in the notes. */
  quoted?: string[]
}

/** `amount:number!, level:gold|silver`: a type or values behind a colon, text where there is none, and `!` where it is required. */
const fields = (text: string): Resource['fields'] =>
  text.split(', ').map(each => {
    const [name = '', type = 'string'] = each.replace('!', '').split(':')
    const required = each.endsWith('!') ? { required: true } : {}
    return type.includes('|')
      ? { name, type: 'enum', enumValues: type.split('|'), ...required }
      : { name, type: type as 'string', ...required }
  })

interface Kind {
  of?: string
  read?: boolean
  write?: boolean
}

export const resource = (id: string, text: string, { of, read, write }: Kind = {}): Resource => ({
  id,
  name: id,
  fields: fields(text),
  ...(of !== undefined && {
    relations: of.split(' ').map(each => ({ target: `builtin:${each}` as 'builtin:contact', type: 'belongs_to' as const })),
  }),
  ...(read && { exposeToAi: true }),
  ...(write && { allowAiWrite: true }),
})
export const view = (target: View['target'], what: string): View => ({
  id: 'view',
  name: 'View',
  target,
  component: what.startsWith('https:') ? `custom:${what}` : `list:${what}`,
})
export const skill = (endpoint: string, input: string) => ({
  id: endpoint,
  name: 'Skill',
  description: 'Skill',
  endpoint,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      input
        .split(' ')
        .filter(Boolean)
        .map(name => [name, {}]),
    ),
  },
})
export const setting = (text: string): NonNullable<Manifest['config']> =>
  fields(text).map(({ name, ...rest }) => ({ key: name, ...rest })) as never
export const known = (...contents: string[]) => contents.map(content => ({ id: 'k', title: 'Title', content }))
export const flow = (trigger: string, steps: Step[], conditions?: Flow['conditions']): Flow => ({
  id: 'flow',
  name: 'Flow',
  trigger,
  steps,
  ...(conditions && { conditions }),
})
/** A flow of which something was not understood that says when it acts: it waits for a person to look at it. */
export const off = (each: Flow): Flow => ({ ...each, enabled: false })
export const when = (field: string, op: string, value: unknown) => ({ field, op: op as 'eq', value })
/** Of the order's total. */
export const total = (op: string, amount: number, currency?: string) => [
  when('event.order.total_amount', op, amount),
  ...(currency ? [when('event.order.currency', 'eq', currency)] : []),
]
export const wrote = (word: string) => [when('event.message.text', 'contains', word)]
export const call = (endpoint: string, input: Record<string, unknown>): Step => ({ id: 's', type: 'call_skill', skill: endpoint, input })
export const record = (of: string, values: Record<string, unknown>): Step => ({ id: 's', type: 'create_record', resource: of, values })
export const tag = (name: string): Step => ({ id: 's', type: 'tag_contact', tag: name })
export const say: Step = { id: 's', type: 'send_message', text: 'Text' }
export const tell: Step = { id: 's', type: 'notify', title: 'Title', body: 'Body' }
export const warn: Step = { ...tell, level: 'warning' }
export const wait = (minutes: number): Step => ({ id: 's', type: 'wait', minutes })
export const HOUR = 60
export const DAY = 24 * HOUR
export const ORDER = { order_id: '{{event.order_id}}' }

/** A whole manifest, whose skills and steps have ids of their own. */
export const app = ({ skills = [], flows = [], ...parts }: Parts, scopes: string[]): Manifest => ({
  manifestVersion: 1,
  id: 'acme:loyalty',
  version: '1.2.0',
  name: 'Loyalty',
  author: 'Acme Ltd',
  scopes,
  ...parts,
  skills: skills.map((each, at) => ({ ...each, id: `skill-${at}` })),
  flows: flows.map((each, at) => ({
    ...each,
    id: `flow-${at}`,
    steps: each.steps.map((step, place) => ({
      ...step,
      id: `step-${place}`,
      ...(step.type === 'call_skill' && { skill: `skill-${skills.findIndex(({ endpoint }) => endpoint === step.skill)}` }),
    })),
  })),
})

export const AWARD = 'https://loyalty.acme.example/award'
export const points = (text = 'amount:number, reason:order|gift', more: Kind = {}): Resource =>
  resource('points', text, { of: 'contact', ...more })
export const TAB = view('contact.tabs', 'points')
export const awarding: Flow = flow('order.paid', [record('points', { amount: 10, reason: 'order' }), tag('member')])
export const RECORDS = ['read:contacts', 'read:records', 'write:records']
/** Points of customers, shown in a tab. */
export const small = app({ resources: [points()], views: [TAB] }, RECORDS)
/** The same, and awarded with orders. */
export const whole = app({ resources: [points()], views: [TAB], flows: [awarding] }, [...RECORDS, 'write:contacts', 'subscribe:order.paid'])
/** A service that is told of orders. */
export const calling = app({ skills: [skill(AWARD, 'order_id')], flows: [flow('order.paid', [call(AWARD, ORDER)])] }, [
  'subscribe:order.paid',
])
export const reviews = app({ resources: [resource('reviews', 'stars:number!, text', { of: 'product' })] }, [
  'read:products',
  'read:records',
  'write:records',
])
