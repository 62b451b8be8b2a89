// Edits by shop owners who never saw the generator, with what each should give.
import { drop, fieldOf, fieldsOf, flowOf, row } from './edited.ts'
import * as expected from './expected.ts'
import { crumb, stage, torque } from './more-shop-apps.ts'
import { cellar, leafy, spoke } from './shop-apps.ts'

const { app, AWARD, call, calling, flow, known, ORDER, record, resource, say, setting, skill, tag, tell, view, when, whole, wrote } =
  expected
const jobs = [flow('conversation.started', [say]), flow('order.shipped', [record('jobs', { bike: 'any' }), tell])]
const shown = app(
  { resources: [resource('jobs', 'bike', { read: true, write: true })], views: [view('dashboard.page', 'jobs')], flows: jobs },
  ['read:records', 'write:records', 'write:messages', 'notify:team', 'subscribe:conversation.started', 'subscribe:order.shipped'],
)

export const OWNERS_EDITS: expected.Described[] = [
  row(spoke, 'Add a yes/no field called warranty to the repairs, and make the frame number required.', parts => {
    fieldsOf(parts).push({ name: 'warranty', type: 'boolean' })
    fieldOf(parts, 'frame_number').required = true
  }),
  row(
    spoke,
    'The status of a repair needs one more value: "waiting for parts". Also put a list of the repairs on a page of its own in the dashboard.',
    parts => {
      fieldOf(parts, 'status').enumValues?.push('waiting for parts')
      parts.views.push(view('dashboard.page', 'repairs'))
    },
  ),
  row(
    spoke,
    'The assistant must not see the repairs any more. And have the customer phoned automatically two days after shipping.',
    parts => Object.assign(parts.resources[0] as object, { exposeToAi: false }),
    ['phoned automatically'],
  ),
  row(cellar, 'For big orders, instead of tagging, send the customer the message "Thank you, your wine is being packed."', parts =>
    flowOf(parts, 'big-order').steps.splice(0, 1, say),
  ),
  row(
    cellar,
    'Please delete the knowledge entry about returns, and add one titled "Corked bottles": "We replace a corked bottle within 60 days of delivery."',
    parts => parts.knowledge.splice(1, 1, ...known('We replace a corked bottle within 60 days of delivery.')),
  ),
  row(leafy, 'toxic should be required, and its name should be toxic_for_pets.', parts =>
    Object.assign(fieldOf(parts, 'toxic'), { name: 'toxic_for_pets', required: true }),
  ),
  row(
    leafy,
    'Two addresses have changed: the diagnose skill is now at https://api.leafy.example/v2/diagnose and the board page at https://board.leafy.example/2026.',
    parts => {
      Object.assign(parts.skills[0] as object, { endpoint: 'https://api.leafy.example/v2/diagnose' })
      Object.assign(parts.views[1] as object, { component: 'custom:https://board.leafy.example/2026' })
    },
  ),
  row(
    leafy,
    'The low stock notification should only come if fewer than 3 are available, and reorder the item at our supplier automatically.',
    parts => Object.assign(flowOf(parts, 'low'), { conditions: [when('event.available', 'lt', 3)] }),
    ['reorder the item at our supplier'],
  ),
  row(stage, 'After the ticket has been saved, and before the wait, add a step that tags the buyer "concert-goer".', parts =>
    flowOf(parts, 'issue').steps.splice(2, 0, tag('concert-goer')),
  ),
  row(stage, 'In tickets replace seat with two fields: row (text) and seatNumber (number).', parts =>
    fieldsOf(parts).splice(2, 1, { name: 'row', type: 'string' }, { name: 'seatNumber', type: 'number' }),
  ),
  row(crumb, 'The cake questions flow should look for "torte" instead of "cake".', parts =>
    Object.assign(flowOf(parts, 'cake-question'), { conditions: wrote('torte') }),
  ),
  row(crumb, 'rename persons to servings & make it required. drop paid.', parts => {
    Object.assign(fieldOf(parts, 'persons'), { name: 'servings', required: true })
    drop(fieldsOf(parts), 'paid')
  }),
  row(
    crumb,
    'pickup_place gets a third choice, delivery. And if an order is created with a note, notify the team and put the note in the text.',
    parts => {
      parts.config[0]?.enumValues?.push('delivery')
      parts.flows.push(flow('order.created', [tell], [when('event.order.note', 'exists', true)]))
    },
  ),
  row(
    torque,
    "The deposit isn't needed any more. Add a text field `condition_on_return` and a boolean `cleaned` to rentals, both optional.",
    parts => {
      drop(fieldsOf(parts), 'deposit')
      fieldsOf(parts).push({ name: 'condition_on_return', type: 'string' }, { name: 'cleaned', type: 'boolean' })
    },
  ),
  row(torque, 'Rename the resource rentals to loans, and remove the setting late_fee.', parts => {
    Object.assign(parts.resources[0] as object, { id: 'loans' })
    for (const each of parts.views) each.component = 'list:loans'
    Object.assign(flowOf(parts, 'delivered').steps[0] as object, { resource: 'loans' })
    drop(parts.config, 'late_fee')
  }),
  {
    text: 'Add a boolean field called frost proof to repairs, and a number field called hours.',
    from: app({ resources: [resource('repairs', 'bike')] }, ['read:records', 'write:records']),
    gives: { resources: [resource('repairs', 'bike, frost_proof:boolean, hours:number')] },
  },
  {
    text: 'Instead of the dashboard page, show jobs in a tab on each contact. The assistant may still read them, but no longer write them.',
    from: shown,
    gives: {
      resources: [resource('jobs', 'bike', { of: 'contact', read: true })],
      views: [view('contact.tabs', 'jobs')],
      flows: jobs,
    },
  },
  {
    text: 'Remove the Jobs page from the dashboard. The assistant may no longer write jobs, but it may still read them.',
    from: shown,
    gives: { resources: [resource('jobs', 'bike', { read: true })], flows: jobs },
  },
  {
    text: 'The flow should start when a contact is tagged pro instead of trade. It should tag customers gold instead of silver.',
    from: app({ flows: [flow('contact.tagged', [tag('silver')], [when('event.added', 'contains', 'trade')])] }, [
      'write:contacts',
      'subscribe:contact.tagged',
    ]),
    gives: { flows: [flow('contact.tagged', [tag('gold')], [when('event.added', 'contains', 'pro')])] },
  },
  {
    text: 'Add a secret called desk key, which is required. Pass it to the skill skill-0 when an order is paid.',
    from: calling,
    gives: {
      config: setting('desk_key:secret!'),
      skills: [skill(AWARD, 'order_id desk_key')],
      flows: [flow('order.paid', [call(AWARD, { ...ORDER, desk_key: '{{config.desk_key}}' })])],
    },
  },
  {
    text: 'Delete the colour, not the bike. Do not remove the page, but show jobs in a tab on each contact too.',
    from: app({ resources: [resource('jobs', 'bike, colour')], views: [view('dashboard.page', 'jobs')] }, [
      'read:records',
      'write:records',
    ]),
    gives: {
      resources: [resource('jobs', 'bike', { of: 'contact' })],
      views: [view('dashboard.page', 'jobs'), view('contact.tabs', 'jobs')],
    },
  },
  row(whole, 'Remove the flow. Keep the rest.', parts => parts.flows.pop()),
  row(whole, "Points can't be seen by the bot, but amount should be compulsory.", parts =>
    Object.assign(fieldOf(parts, 'amount'), { required: true }),
  ),
  row(whole, 'Do not tag customers who bought for less than 20.', parts =>
    Object.assign(parts.flows[0]?.steps[1] as object, { conditions: [when('event.order.total_amount', 'gte', 2_000)] }),
  ),
  row(spoke, 'Repairs: status may also be "waiting for parts", and add a warranty checkbox.', parts => {
    fieldOf(parts, 'status').enumValues?.push('waiting for parts')
    fieldsOf(parts).push({ name: 'warranty', type: 'boolean' })
  }),
  row(cellar, 'Big orders should warn the team rather than just inform it.', () => {}, [
    'Big orders should warn the team rather than just inform it',
  ]),
  row(crumb, 'Cakes for more than 20 persons: notify the team.', () => {}, ['Cakes for more than 20 persons']),
  row(stage, 'Tickets get a price and a category (front, middle, back), the code is optional.', parts => {
    fieldsOf(parts).push({ name: 'price', type: 'number' }, { name: 'category', type: 'enum', enumValues: ['front', 'middle', 'back'] })
    delete fieldOf(parts, 'code').required
  }),
  row(torque, 'A rental may be "damaged" too.', parts => fieldOf(parts, 'state').enumValues?.push('damaged')),
  row(cellar, 'Returns are possible within 30 days, not 14.', parts =>
    Object.assign(parts.knowledge[1] as object, { content: 'Unopened bottles may be returned within 30 days.' }),
  ),
  row(cellar, 'Parcels arrive within 12 days, not 14.', () => {}, ['Parcels arrive within 12 days']),
]
