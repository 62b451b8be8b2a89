// What very different shops want to keep, in very different voices, with what each should give: written before the generator was run on any of them.
import * as expected from './expected.ts'

const { call, flow, HOUR, known, ORDER, resource, setting, skill, tag, tell, total, view, wait, warn, when } = expected

const only = (step: ReturnType<typeof tag>, ...conditions: ReturnType<typeof when>[]) => ({ ...step, conditions })

export const KEPT: expected.Described[] = [
  // What is kept.
  {
    text: 'Good evening, we rent out party tents. Please keep a list of rentals with the tent, the number of guests, the date of the party and whether the deposit was paid. Every rental belongs to a customer. Best regards, Piet',
    gives: {
      resources: [resource('rentals', 'tent, number_of_guests:number, date_of_party:date, deposit_paid:boolean', { of: 'contact' })],
    },
  },
  {
    text: 'piano school. lessons: teacher (Anna, Boris), weekday, minutes (number), paid (yes/no). lessons belong to contacts, tab there.',
    gives: {
      resources: [resource('lessons', 'teacher:Anna|Boris, weekday, minutes:number, paid:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'lessons')],
    },
  },
  {
    text: 'For each product I want to keep its ingredients: name (required), share in percent and allergen yes/no. Show them in a tab at the product.',
    gives: {
      resources: [resource('ingredients', 'name!, share:number, allergen:boolean', { of: 'product' })],
      views: [view('product.tabs', 'ingredients')],
    },
  },
  {
    text: "I'd love to have a register of our sewing machines - brand, model, serial number and last serviced (date). Brand and serial number are mandatory.",
    gives: { resources: [resource('machines', 'brand!, model, serial_number!, last_serviced:date')] },
  },
  {
    text: 'Resource "vouchers" with the fields code: string, value: number, redeemed: boolean, expires_on: date.',
    gives: { resources: [resource('vouchers', 'code, value:number, redeemed:boolean, expires_on:date')] },
  },
  {
    text: 'Tattoo studio here. Consent forms per client please: signed on (date, required), artist, allergies, photo permission (true/false). They should be visible on the client card.',
    gives: {
      resources: [resource('forms', 'signed_on:date!, artist, allergies, photo_permission:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'forms')],
    },
  },
  {
    text: 'Store complaints about orders: category (late, broken, wrong item), description (text, required), solved (boolean). A complaint is linked to the order and to the customer.',
    gives: {
      resources: [resource('complaints', 'category:late|broken|wrong item, description!, solved:boolean', { of: 'order contact' })],
    },
  },
  {
    text: 'We have bees. Keep track of hives: location, queen year (number), strength (weak, normal or strong), date it was last inspected. Put the hives on a page in the dashboard.',
    gives: {
      resources: [resource('hives', 'location, queen_year:number, strength:weak|normal|strong, date_last_inspected:date')],
      views: [view('dashboard.page', 'hives')],
    },
  },
  {
    text: 'Record tyre storage for customers. Fields: size, brand, tread depth in mm, storedSince (date), rack. Only size and rack are required.',
    gives: {
      resources: [resource('storage', 'size!, brand, tread_depth:number, storedSince:date, rack!', { of: 'contact' })],
    },
  },
  {
    text: 'The assistant may read and create reservations. A reservation has a date, a number of persons, a name and a remark. All of them are required except the remark.',
    gives: {
      resources: [resource('reservations', 'date:date!, number_of_persons:number!, name!, remark', { read: true, write: true })],
    },
  },
  // The rest.
  {
    text: 'Let the bot find out the price of an engraving from https://engrave.example/price, given the text and the size.',
    gives: { skills: [skill('https://engrave.example/price', 'text size')] },
  },
  {
    text: 'Our assistant can check whether a table is free. The endpoint is https://tables.example/free. It needs the date and the number of persons.',
    gives: { skills: [skill('https://tables.example/free', 'date number_of_persons')] },
  },
  {
    text: 'The assistant should know: "We do not ship on public holidays."',
    gives: { knowledge: known('We do not ship on public holidays.') },
  },
  {
    text: 'Our office is closed in August. The bot should know that. Thank you so much in advance!',
    gives: { knowledge: known('Our office is closed in August.') },
  },
  {
    text: 'We need two settings: a sender name (text, required) and a daily limit (number).',
    gives: { config: setting('sender_name!, daily_limit:number') },
  },
  {
    text: 'The API token is a secret setting and required. There should also be an optional setting language, which is de, fr or it.',
    gives: { config: setting('api_token:secret!, language:de|fr|it') },
  },
  {
    text: 'Please add a page called "Weather" that shows https://weather.example/now.',
    gives: { views: [view('dashboard.page', 'https://weather.example/now')] },
  },
  {
    text: 'Under each product we want to see the tab "Reviews" from https://rev.example/p.',
    gives: { views: [view('product.tabs', 'https://rev.example/p')] },
  },
  {
    text: 'Send every cancelled order to https://bi.example/lost with the order number, the reason and our bi key. The bi key is a secret setting.',
    gives: {
      config: setting('bi_key:secret'),
      skills: [skill('https://bi.example/lost', 'order_number reason bi_key')],
      flows: [
        flow('order.cancelled', [
          call('https://bi.example/lost', {
            order_number: '{{event.order.number}}',
            reason: '{{event.reason}}',
            bi_key: '{{config.bi_key}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'Each morning at eight, notify the team. When an order is created, notify the team, too.',
    gives: { flows: [flow('order.created', [tell])] },
    quoted: ['Each morning at eight'],
  },
  {
    text: 'When an order worth 40 to 60 euros is paid, tag the customer middle.',
    gives: { flows: [expected.off(flow('order.paid', [tag('middle')]))] },
    quoted: ['40 to 60'],
  },
  {
    text: 'When an order is paid, wait 3 hours, call https://ship.example/book with the order id and then warn the team if the order is above 900.',
    gives: {
      skills: [skill('https://ship.example/book', 'order_id')],
      flows: [flow('order.paid', [wait(3 * HOUR), call('https://ship.example/book', ORDER), only(warn, ...total('gt', 90_000))])],
    },
  },
  {
    text: 'We need three lists: barrels (cooper - required, year as a number, toasted yes or no) which belong to the customer; and corks (length: short or long) which belong to the product.',
    gives: {
      resources: [
        resource('barrels', 'cooper!, year:number, toasted:boolean', { of: 'contact' }),
        resource('corks', 'length:short|long', { of: 'product' }),
      ],
    },
  },
  {
    text: 'Keep pets with a species (enum: dog, cat) and colour - black, white or grey - for every customer.',
    gives: { resources: [resource('pets', 'species:dog|cat, colour:black|white|grey', { of: 'contact' })] },
  },
  {
    text: 'Which greeting, the owner chooses in a setting called greeting_word, it is required. The parking hours have changed.',
    gives: { config: setting('greeting_word!') },
    quoted: ['The parking hours have changed'],
  },
  { text: 'Knowledge entry "Parking": "Park behind the house."', gives: { knowledge: known('Park behind the house.') } },
  {
    text: 'For each painting we keep a survey: grade (A, B), signed (yes/no). It goes under the product.',
    gives: { resources: [resource('survey', 'grade:A|B, signed:boolean', { of: 'product' })], views: [view('product.tabs', 'survey')] },
    quoted: [],
  },
  {
    text: 'When an order between £20 and £30 is paid, tag the customer middle.',
    gives: {
      flows: [flow('order.paid', [tag('middle')], [...total('gte', 2_000), ...total('lte', 3_000, 'GBP')])],
    },
  },
  {
    text: 'When an order is cancelled but only when a refund is outstanding, warn the team. New conversations on viber -> tag viber.',
    gives: {
      flows: [
        flow('order.cancelled', [warn], [when('event.refund_pending', 'eq', true)]),
        flow('conversation.started', [tag('viber')], [when('event.conversation.platform', 'eq', 'viber')]),
      ],
    },
  },
  {
    text: 'When an order is shipped, notify the team, unless it has a pickup point.',
    gives: { flows: [flow('order.shipped', [tell], [when('event.order.shipping_address.pickup_point', 'exists', false)])] },
  },
  {
    text: 'resource wants: maker, max_price (number), state: new | worn. belongs to contact. All three are required.',
    gives: { resources: [resource('wants', 'maker!, max_price:number!, state:new|worn!', { of: 'contact' })] },
  },
  {
    text: 'Keep supplier notes under each product: supplier (required), the date received and whether it can be returned. Show them as a list on their own page in the dashboard.',
    gives: {
      resources: [resource('notes', 'supplier!, date_received:date, can_be_returned:boolean', { of: 'product' })],
      views: [view('product.tabs', 'notes'), view('dashboard.page', 'notes')],
    },
  },
  {
    text: 'Keep repairs for every customer: part. Show them in a tab on the order and in a tab on the customer. List them on a page, plus a pie chart with costs.',
    gives: {
      resources: [resource('repairs', 'part', { of: 'contact' })],
      views: [view('contact.tabs', 'repairs'), view('dashboard.page', 'repairs')],
    },
    quoted: ['in a tab on the order', 'a pie chart with costs'],
  },
  {
    text: 'On each product show https://lab.example/p as a tab, on each contact show https://lab.example/c.',
    gives: { views: [view('product.tabs', 'https://lab.example/p'), view('contact.tabs', 'https://lab.example/c')] },
  },
  {
    text: 'Steps after an order is paid:\n1. tag the customer "club"\n2. wait 3 hours\n3. notify the team "Roast"',
    gives: { flows: [flow('order.paid', [tag('club'), wait(3 * HOUR), tell])] },
  },
  {
    text: 'flow: contact.created -> notify "New one". Let us know whenever something is running low on stock.',
    gives: { flows: [flow('contact.created', [tell]), flow('product.low_stock', [tell])] },
  },
  {
    text: 'When an order ships, call https://track.example/push, and even if that call fails, carry on and tag the customer gone.',
    gives: {
      skills: [skill('https://track.example/push', 'order_id')],
      flows: [flow('order.shipped', [call('https://track.example/push', ORDER), tag('gone')])],
    },
  },
  {
    text: 'When an order is paid: if its total is 300 or more tag the customer front, otherwise tag him back.',
    gives: { flows: [flow('order.paid', [only(tag('front'), ...total('gte', 30_000)), only(tag('back'), ...total('lt', 30_000))])] },
  },
  {
    text: 'Orders shipping to Norway or Switzerland need papers. When such an order is created, give the team a warning "Papers" that says the order number.',
    gives: { flows: [flow('order.created', [warn], [when('event.order.shipping_address.country', 'in', ['NO', 'CH'])])] },
    quoted: ['need papers'],
  },
  {
    text: 'We have three lists: bikes (brand - required, gears as a number), helmets (size: S, M or L) and locks (code).',
    gives: { resources: [resource('bikes', 'brand!, gears:number'), resource('helmets', 'size:S|M|L'), resource('locks', 'code')] },
  },
  {
    text: 'Keep pots with a size - small, medium, large - and a lid.',
    gives: { resources: [resource('pots', 'size:small|medium|large, lid')] },
  },
]
