// Edits of the apps of six shops, in very different voices, with what each should give: written before the generator was run on any of them.
import { drop, fieldOf, fieldsOf, flowOf, row, same } from './edited.ts'
import * as expected from './expected.ts'
import { crumb, stage, torque } from './more-shop-apps.ts'
import { cellar, leafy, spoke } from './shop-apps.ts'

const { call, DAY, flow, HOUR, resource, say, tag, tell, view, wait, when } = expected

export const EDITS: expected.Described[] = [
  // Fields.
  row(spoke, 'Please rename due to pickup_date and make it required.', parts =>
    Object.assign(fieldOf(parts, 'due'), { name: 'pickup_date', required: true }),
  ),
  row(spoke, "We don't need the cost any longer.", parts => drop(fieldsOf(parts), 'cost')),
  row(spoke, 'repairs also need a mechanic (text, required) and an hours field (number).', parts =>
    fieldsOf(parts).push({ name: 'mechanic', type: 'string', required: true }, { name: 'hours', type: 'number' }),
  ),
  row(spoke, 'Could you add "collected" to the possible values of the status?', parts =>
    fieldOf(parts, 'status').enumValues?.push('collected'),
  ),
  row(spoke, 'The status "ready" should be called "done".', parts =>
    Object.assign(fieldOf(parts, 'status'), { enumValues: ['received', 'in progress', 'done'] }),
  ),
  row(spoke, 'The frame number must always be filled in, the status may be left empty.', parts => {
    fieldOf(parts, 'frame_number').required = true
    delete fieldOf(parts, 'status').required
  }),
  row(torque, 'The serial number should be called machineNumber. Drop the deposit and the state.', parts => {
    fieldOf(parts, 'serialNumber').name = 'machineNumber'
    drop(fieldsOf(parts), 'deposit')
    drop(fieldsOf(parts), 'state')
    delete (flowOf(parts, 'delivered').steps[0] as { values: Record<string, unknown> }).values['state']
  }),
  row(crumb, 'persons is a text now, not a number', parts => Object.assign(fieldOf(parts, 'persons'), { type: 'string' })),
  row(crumb, 'Both cake and inscription have to be required.', parts => Object.assign(fieldOf(parts, 'inscription'), { required: true })),
  row(leafy, 'Split water_ml into summer_ml (number) and winter_ml (number).', parts =>
    fieldsOf(parts).splice(1, 1, { name: 'summer_ml', type: 'number' }, { name: 'winter_ml', type: 'number' }),
  ),
  row(leafy, 'Light may also be "dark corner". And complaints need a date.', parts => {
    fieldOf(parts, 'light').enumValues?.push('dark corner')
    fieldsOf(parts, 1).push({ name: 'date', type: 'date' })
  }),
  row(cellar, 'Instead of rating I want stars (number, required).', parts =>
    fieldsOf(parts).splice(1, 1, { name: 'stars', type: 'number', required: true }),
  ),
  row(cellar, 'The tastings should get a grape, which is red, white or rose, and a boolean called blind.', parts =>
    fieldsOf(parts).push({ name: 'grape', type: 'enum', enumValues: ['red', 'white', 'rose'] }, { name: 'blind', type: 'boolean' }),
  ),
  row(stage, 'get rid of scanned and add a comment', parts => {
    drop(fieldsOf(parts), 'scanned')
    delete (flowOf(parts, 'issue').steps[1] as { values: Record<string, unknown> }).values['scanned']
    fieldsOf(parts).push({ name: 'comment', type: 'string' })
  }),
  row(stage, 'Remove the seat and paint the hall.', parts => drop(fieldsOf(parts), 'seat'), ['paint the hall']),
  // Resources, settings, views, knowledge, access.
  row(crumb, 'Rename the setting pickup_place to branch, and add "kiosk" to it.', parts =>
    Object.assign(parts.config[0] as object, { key: 'branch', enumValues: ['shop', 'market', 'kiosk'] }),
  ),
  row(torque, 'The late fee is required from now on.', parts => Object.assign(parts.config[1] as object, { required: true })),
  row(torque, 'Please remove the product tab.', parts => parts.views.splice(1, 1)),
  row(crumb, "We don't want the page in the dashboard any more.", parts => parts.views.splice(1, 1)),
  row(cellar, 'The shipping text should say "We ship every day."', parts =>
    Object.assign(parts.knowledge[0] as object, { content: 'We ship every day.' }),
  ),
  row(crumb, 'Add a knowledge entry about parking: "You can park behind the bakery."', parts =>
    parts.knowledge.push({ id: 'p', title: 'Parking', content: 'You can park behind the bakery.' }),
  ),
  row(crumb, 'The bot may still read preorders but must not write them.', parts => {
    delete (parts.resources[0] as { allowAiWrite?: boolean }).allowAiWrite
  }),
  row(stage, 'Let the assistant look at tickets.', parts => Object.assign(parts.resources[0] as object, { exposeToAi: true })),
  row(stage, 'Tickets should be linked to products as well, with a tab there.', parts => {
    parts.resources[0]?.relations?.push({ target: 'builtin:product', type: 'belongs_to' })
    parts.views.push(view('product.tabs', 'tickets'))
  }),
  row(leafy, 'The board has moved to https://new.leafy.example/board.', parts =>
    Object.assign(parts.views[1] as object, { component: 'custom:https://new.leafy.example/board' }),
  ),
  row(leafy, 'Change the endpoint of the diagnose skill to https://doctor.leafy.example/v3.', parts =>
    Object.assign(parts.skills[0] as object, { endpoint: 'https://doctor.leafy.example/v3' }),
  ),
  row(spoke, 'Add a number setting called max_repairs and a secret called sms key.', parts => {
    parts.config = [
      { key: 'max_repairs', type: 'number' },
      { key: 'sms_key', type: 'secret' },
    ]
  }),
  row(leafy, 'Call the resource complaints grievances.', parts => {
    Object.assign(parts.resources[1] as object, { id: 'grievances' })
    Object.assign(flowOf(parts, 'wilted').steps[0] as object, { resource: 'grievances' })
  }),
  // Flows.
  row(spoke, 'Wait five days instead of two before calling the buyer.', parts =>
    Object.assign(flowOf(parts, 'follow-up').steps[0] as object, { minutes: 5 * DAY }),
  ),
  row(spoke, 'The follow-up should only happen for orders over 100 euros.', parts =>
    Object.assign(flowOf(parts, 'follow-up'), {
      conditions: [when('event.order.total_amount', 'gt', 10_000), when('event.order.currency', 'eq', 'EUR')],
    }),
  ),
  row(spoke, 'Tag buyers as "rider" instead of "customer".', parts =>
    Object.assign(flowOf(parts, 'paid').steps[0] as object, { tag: 'rider' }),
  ),
  row(spoke, 'When an order is paid, also wait an hour and send the customer "Thanks for riding with us!"', parts =>
    flowOf(parts, 'paid').steps.push(wait(HOUR), say),
  ),
  row(spoke, 'Switch off the flow "Tag buyers".', parts => Object.assign(flowOf(parts, 'paid'), { enabled: false })),
  row(cellar, 'Big orders start at 300 now instead of 200.', parts =>
    Object.assign(flowOf(parts, 'big-order'), { conditions: [when('event.order.total_amount', 'gte', 30_000)] }),
  ),
  row(cellar, 'Please raise the limit for big orders to 500 euros.', parts =>
    Object.assign(flowOf(parts, 'big-order'), { conditions: [when('event.order.total_amount', 'gte', 50_000)] }),
  ),
  row(cellar, 'Stop notifying the team about big orders.', parts => flowOf(parts, 'big-order').steps.pop()),
  row(cellar, 'Before the notification, wait 30 minutes.', parts => flowOf(parts, 'big-order').steps.splice(1, 0, wait(30))),
  row(cellar, 'The big order notice should be a warning.', parts =>
    Object.assign(flowOf(parts, 'big-order').steps[1] as object, { level: 'warning' }),
  ),
  row(
    leafy,
    'The wilted plants flow should react to "droopy" rather than "wilted", and it should also tag the customer plant-trouble.',
    parts => {
      Object.assign(flowOf(parts, 'wilted'), { conditions: [when('event.message.text', 'contains', 'droopy')] })
      flowOf(parts, 'wilted').steps.push(tag('plant-trouble'))
    },
  ),
  row(leafy, 'In the low stock flow, also call https://erp.leafy.example/low with the sku.', parts => {
    parts.skills.push(expected.skill('https://erp.leafy.example/low', 'sku') as never)
    flowOf(parts, 'low').steps.push(call('https://erp.leafy.example/low', { sku: '{{event.product.sku}}' }))
  }),
  row(
    stage,
    'Make the wait two days, and warn less.',
    parts => Object.assign(flowOf(parts, 'issue').steps[2] as object, { minutes: 2 * DAY }),
    ['warn less'],
  ),
  row(stage, 'Drop the reminder message from the flow.', parts => flowOf(parts, 'issue').steps.pop()),
  row(stage, 'The cancelled orders flow should also tag the customer as lost.', parts =>
    flowOf(parts, 'cancelled').steps.push(tag('lost')),
  ),
  row(stage, 'If an order is refunded, notify the team.', parts => parts.flows.push(flow('order.refunded', [tell]))),
  row(crumb, 'The greeting should say "Hello from Crumb!"', parts =>
    Object.assign(flowOf(parts, 'greet').steps[0] as object, { text: 'Hello from Crumb!' }),
  ),
  row(crumb, 'Remove the cake questions flow, please, and everything else stays as it is.', parts => drop(parts.flows, 'cake-question')),
  row(crumb, 'Greet people only on WhatsApp.', parts =>
    Object.assign(flowOf(parts, 'greet'), { conditions: [when('event.conversation.platform', 'eq', 'whatsapp')] }),
  ),
  row(torque, 'After the record is saved, tag the customer "renter" instead of the base tag.', parts =>
    Object.assign(flowOf(parts, 'delivered').steps[1] as object, { tag: 'renter' }),
  ),
  row(torque, 'The notification should come after three days, not after a week.', parts =>
    Object.assign(flowOf(parts, 'delivered').steps[2] as object, { minutes: 3 * DAY }),
  ),
  row(torque, 'The flow should run when an order is shipped instead.', parts => {
    const delivered = flowOf(parts, 'delivered')
    delivered.trigger = 'order.shipped'
    delete delivered.conditions
  }),
  row(torque, 'Have our plumber repair the tap.', same, ['plumber repair the tap']),
  row(torque, 'Add a resource damages with a description (text, required) and a cost (number), linked to products.', parts =>
    parts.resources.push(resource('damages', 'description!, cost:number', { of: 'product' })),
  ),
  row(spoke, 'When an order is paid, before tagging, notify the team "Sold".', parts => flowOf(parts, 'paid').steps.unshift(tell)),
  // Not of the flow on "wilted": leaves are not all that wilts.
  row(leafy, 'When somebody writes about wilted leaves, also tag them as worried.', parts =>
    parts.flows.push(flow('message.received', [tag('worried')], [when('event.message.text', 'contains', 'wilted leaves')])),
  ),
  row(cellar, 'Only from 300 upwards please.', parts =>
    Object.assign(flowOf(parts, 'big-order'), { conditions: [when('event.order.total_amount', 'gte', 30_000)] }),
  ),
  row(
    crumb,
    'Our opening hours have changed, the text must be: "Closed in May." Furthermore the bot shall not be allowed to write preorders, only to read them.',
    parts => {
      Object.assign(parts.knowledge[1] as object, { content: 'Closed in May.' })
      delete (parts.resources[0] as { allowAiWrite?: boolean }).allowAiWrite
    },
  ),
  row(spoke, 'In status drop "ready" and add "broken" and "lost".', parts =>
    Object.assign(fieldOf(parts, 'status'), { enumValues: ['received', 'in progress', 'broken', 'lost'] }),
  ),
]
