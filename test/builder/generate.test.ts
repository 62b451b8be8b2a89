// What the generator makes of descriptions. They were written before it, or before it was taught to read them, and split by a hash: it was built looking at
// one half, and the other says how good it is.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import type { Author } from '../../src/builder/generate/author.ts'
import { eventName, eventTold } from '../../src/builder/generate/event-names.ts'
import { generate } from '../../src/builder/generate/generate.ts'
import { eventTypes } from '../../src/catalog.ts'
import { seeded } from '../support/random.ts'
import { BY_OTHERS } from './by-others.ts'
import { given, options } from './compare.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { EDITS } from './edits.ts'
import { EVERYDAY } from './everyday.ts'
import { FAMILIES } from './families.ts'
import { FLOWS_KEEP } from './flows-keep.ts'
import { HELD_OUT } from './held-out.ts'
import { IN_OTHER_WORDS } from './in-other-words.ts'
import { KEPT } from './kept.ts'
import { LIMITS } from './limits.ts'
import { MOODS } from './moods.ts'
import { MORE_VOICES } from './more-voices.ts'
import { OWNERS } from './owners.ts'
import { OWNERS_EDITS } from './owners-edits.ts'
import { SHOP_TALK } from './shop-talk.ts'
import { UNSAID } from './unsaid.ts'
import { VOICES } from './voices.ts'
import { FIELD, HAPPENINGS, IFS, KNOWN_WAYS, LIKE, PLACES, SETTING, STEPS } from './ways.ts'
import { WISHES } from './wishes.ts'

/** The share of what was not looked at that has to come out equal. */
const EQUAL_MIN = 0.85

const wasLookedAt = (text: string): boolean => ((createHash('sha256').update(text).digest()[0] as number) & 1) === 0

type Parts = Partial<Manifest>

describe('a description that was looked at gives the manifest that was written for it', () => {
  for (const each of [...DESCRIPTIONS, ...SHOP_TALK].filter(({ text }) => wasLookedAt(text)))
    test(each.text, async () => {
      const { found, expected, notes } = await given(each)
      assert.deepEqual(found, expected)
      if (!each.quoted)
        assert.deepEqual(
          notes.filter(note => !/which fails each time/.test(note)),
          [],
        )
    })
})

test('of those that were written after it, at least 85 % do, and of no other it is silent that something is missing', async t => {
  const results = await Promise.all(HELD_OUT.map(given))
  const others = results.filter(({ isEqual }) => !isEqual)
  t.diagnostic(`${results.length - others.length} of ${results.length}`)
  assert.ok(others.length <= (1 - EQUAL_MIN) * results.length, others.map(({ found }) => JSON.stringify(found)).join('\n'))
  assert.ok(others.filter(({ notes }) => notes.length === 0).length <= 1)
})

/** The sets that shop owners wrote, and those in other voices. */
const OF_OTHERS = [...OWNERS, ...OWNERS_EDITS, ...VOICES, ...MORE_VOICES, ...BY_OTHERS, ...KEPT, ...FLOWS_KEEP]

test('of descriptions and edits by shop owners who never saw it, and in other voices, each does, and nothing that was understood is noted', async () => {
  for (const each of [...OF_OTHERS, ...IN_OTHER_WORDS, ...EDITS, ...FAMILIES, ...MOODS, ...UNSAID, ...EVERYDAY, ...LIMITS, ...WISHES]) {
    const { found, expected, notes } = await given(each)
    assert.deepEqual(found, expected, each.text)
    const others = notes.filter(note => !/which fails each time/.test(note))
    if (!each.quoted) assert.deepEqual(others, [], each.text)
  }
})

test('no clause is lost: what stands beside what was understood is in the manifest or in the notes', async () => {
  const MORE = [' and repaint the zeppelins', ', zeppelins', ' unless zeppelins fly', ' with zeppelins']
  const all = [...OF_OTHERS, ...EDITS, ...DESCRIPTIONS, ...SHOP_TALK, ...FAMILIES]
  // Every other: each is tried in many readings.
  for (const [at, { text, from }] of all.filter((_each, at) => at % 2 === 0).entries()) {
    const said = `${text.replace(/[.!?]+$/, '')}${MORE[at % MORE.length]}.`
    const { manifest, valid, notes } = await generate(said, from, options)
    assert.ok(valid && /zeppelin/i.test(JSON.stringify([manifest, notes])), `${said}: ${notes}`)
  }
})

test('no clause is lost of which the readers know each word from elsewhere', async () => {
  const MORE = [
    'twice',
    'once per customer',
    'except on Sundays',
    'for free',
    'in both shops',
    'if the product is new',
    'after the payment',
    'half of the time',
  ]
  const all = [...OF_OTHERS, ...EDITS, ...DESCRIPTIONS, ...SHOP_TALK, ...FAMILIES].filter(
    ({ text }) => !/^(?:Hi|Hello|We're|We have|I run)\b/.test(text),
  )
  const partsOf = ({ name: _name, flows = [], ...rest }: Parts) => JSON.stringify([rest, flows.map(({ name: _own, ...flow }) => flow)])
  for (const [at, { text, from }] of all.entries()) {
    if (at % 3 !== 0) continue
    const more = MORE[at % MORE.length] as string
    // Behind its first sentence, or clause.
    const end = /[.!?](?=\s|$)|, (?=[a-z])|$/.exec(text.replaceAll(/"[^"]*"|https?:\S+/g, quoted => '-'.repeat(quoted.length)))?.index ?? 0
    const [plain, said] = await Promise.all(
      [text, `${text.slice(0, end)} ${more}${text.slice(end)}`].map(each => generate(each, from, options)),
    )
    const isTold = said?.notes.some(note => !plain?.notes.includes(note))
    assert.ok(isTold || partsOf(said?.manifest as Parts) !== partsOf(plain?.manifest as Parts), `${text.slice(0, end)} ${more}`)
  }
})

describe('whichever way it is said', () => {
  /** What of a manifest the ways tell apart. */
  const told = ({ resources = [], views = [], config = [], knowledge = [], flows = [] }: Parts) => [
    resources.map(({ fields, relations = [] }) => [fields.map(inWords), relations.map(({ target }) => target.slice(8))]),
    views.map(({ target, component }) => `${target} ${component.split(':')[0]}`),
    config.map(({ key, ...rest }) => inWords({ name: key, ...rest })),
    knowledge.map(({ content }) => content),
    flows.map(({ trigger, enabled = true, conditions = [], steps }) => [
      trigger,
      enabled,
      conditions.filter(({ field }) => !/currency$/.test(field)).map(({ field, op, value }) => `${field} ${op} ${JSON.stringify(value)}`),
      steps.map(step =>
        step.type === 'tag_contact'
          ? `tag ${step.tag}`
          : step.type === 'send_message'
            ? `say ${step.text}`
            : `${step.type}${step.type === 'notify' && step.level === 'warning' ? '!' : ''}`,
      ),
    ]),
  ]
  const inWords = ({ name, type, required, enumValues }: { name: string; type: string; required?: boolean; enumValues?: string[] }) =>
    `${name}:${enumValues?.join('|') ?? type}${required ? '!' : ''}`
  const gives = async (text: string, expected: unknown[]): Promise<void> => {
    const { manifest, valid, notes } = await generate(text, undefined, options)
    assert.deepEqual(
      [valid, told(manifest as Manifest), notes.filter(note => !/which fails each time/.test(note))],
      [true, expected, []],
      text,
    )
  }
  const flow = (event: string, step = 'notify', condition?: string): unknown[] => [
    [],
    [],
    [],
    [],
    [[event, true, condition ? [condition] : [], [step]]],
  ]
  const WHENS = ['When', 'Whenever', 'As soon as', 'Once', 'Every time', 'If', 'Each time', 'The moment', 'After']
  const each = (ways: string): [string, number][] => ways.split(' / ').map((way, at) => [way, at])

  test('it happens', async () => {
    for (const [event, ways] of HAPPENINGS)
      for (const [way, at] of each(ways))
        await gives(
          at % 2 === 0 ? `${WHENS[at % 9]} ${way}, notify the team.` : `Notify the team ${WHENS[at % 9]?.toLowerCase()} ${way}.`,
          flow(event),
        )
  })

  test('it is done', async () => {
    for (const [step, ways] of STEPS)
      for (const [way, at] of each(ways))
        await gives(
          at % 2 === 0 ? `When an order is paid, ${way}.` : `${way.replace(/^./, first => first.toUpperCase())} when an order is paid.`,
          flow('order.paid', step),
        )
  })

  test('it has to be so', async () => {
    for (const [condition, ways] of LIKE)
      for (const [way] of each(ways)) await gives(`When an order ${way} is paid, notify the team.`, flow('order.paid', 'notify', condition))
    const EVENTS: Record<string, string> = {
      'order.paid': 'an order is paid',
      'order.cancelled': 'an order is cancelled',
      'order.refunded': 'an order is refunded',
      'message.received': 'a message arrives',
      'product.low_stock': 'a product runs low',
    }
    for (const [event, condition, ways] of IFS)
      for (const [way, at] of each(ways))
        await gives(
          [
            `When ${EVENTS[event]} and ${way}, notify the team.`,
            `Notify the team when ${EVENTS[event]}, provided ${way}.`,
            `When ${EVENTS[event]}, if ${way}, notify the team.`,
          ][at % 3] as string,
          flow(event, 'notify', condition),
        )
  })

  test('it is kept, shown, set and known', async () => {
    for (const [field, ways] of FIELD)
      for (const [way, at] of each(ways))
        await gives(at % 2 === 0 ? `Keep zebras with ${way} and a stall.` : `A zebra has a stall and ${way}.`, [
          [[at % 2 === 0 ? [field, 'stall:string'] : ['stall:string', field], []]],
          [],
          [],
          [],
          [],
        ])
    for (const [relation, view, ways] of PLACES)
      for (const [way] of each(ways))
        await gives(`Keep zebras with a note and a name. ${way}`, [
          [[['note:string', 'name:string'], relation === '' ? [] : [relation]]],
          view === '' ? [] : [view],
          [],
          [],
          [],
        ])
    for (const [setting, ways] of SETTING) for (const [way] of each(ways)) await gives(`${way}.`, [[], [], [setting], [], []])
    for (const [way] of each(KNOWN_WAYS)) await gives(`${way}.`, [[], [], [], ['We close on Mondays.'], []])
  })
})

test('what stands beside a thing that is kept, and is not understood, is noted; a page is of what was told before it', async () => {
  for (const [text, quoted, shown] of [
    ['Keep a list of fines per customer and email me weekly.', 'email me weekly', undefined],
    ['Notes with a text. They belong to contacts and cats can fly.', 'cats can fly', undefined],
    ['When an order is refunded, tag the customer as refunded and make coffee.', 'make coffee', undefined],
    ['Keep suppliers with name and phone. Dashboard page.', undefined, 'list:suppliers'],
    ['Keep suppliers with name and phone. Add a dashboard page.', undefined, 'list:suppliers'],
    ['Dashboard page.', 'Dashboard page', undefined],
  ] as const) {
    const { manifest, valid, notes } = await generate(text, undefined, options)
    assert.ok(valid)
    assert.deepEqual((manifest as Manifest).views?.map(({ component }) => component)[0], shown, text)
    assert.deepEqual(
      notes.map(note => /"([^"]+)"/.exec(note)?.[1]),
      quoted === undefined ? [] : [quoted],
      text,
    )
  }
})

for (const [kind, descriptions] of [
  ['descriptions', DESCRIPTIONS],
  ['words of shops', SHOP_TALK],
] as const)
  test(`of the ${kind} that were not looked at, at least ${EQUAL_MIN * 100} % do`, async t => {
    const others = descriptions.filter(({ text }) => !wasLookedAt(text))
    const results = await Promise.all(others.map(given))
    const share = results.filter(({ isEqual }) => isEqual).length / others.length
    t.diagnostic(`${Math.round(share * 100)} % of ${others.length}`)
    assert.ok(descriptions.length >= 50 && share >= EQUAL_MIN, `${Math.round(share * 100)} %`)
  })

describe('whatever a description holds', () => {
  const WORDS =
    'when an order is paid shipped over 500 a product low stock tag the customer as vip call https://a.example/x wait two days notify team keep warranties with serial number and date of gold or silver under each page rename remove add field required "a {{quoted}} text" to from , . : ( ) secret setting knowledge assistant may read write instead __proto__ constructor id {{event.order_id}} «0» ‹0› ä 😀 http://10.0.0.1/y'.split(
      ' ',
    )
  const { next: random } = seeded(20260523)
  const sentence = (): string =>
    Array.from({ length: 3 + Math.floor(random() * 30) }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')

  test('the manifest can be installed, and a manifest that was made can be changed', async () => {
    let from: unknown
    for (let at = 0; at < 200; at++) {
      const text = sentence()
      const { manifest, valid, problems } = await generate(text, at % 3 === 0 ? undefined : from, options)
      assert.ok(valid, `${text}: ${JSON.stringify(problems)}`)
      from = manifest
    }
  })

  test('it is read in time that nothing waits for long', async () => {
    for (const text of [
      'when an order ',
      'a, b and c ',
      'keep x with ',
      '( ',
      'https://a.example/ ',
      '"',
      'is paid, tag them ',
      'order ',
    ]) {
      const begun = process.cpuUsage()
      await generate(text.repeat(8_000).slice(0, 8_000), undefined, options)
      await generate(text.repeat(1_000).slice(0, 999), undefined, options)
      assert.ok(process.cpuUsage(begun).user < 1_500_000, `${text}: ${process.cpuUsage(begun).user} µs`)
    }
  })

  test('what is too much to be read at once is told, and others go first while the rest is read', async () => {
    const text = Array.from({ length: 800 }, (_, at) => `Tag ox${at}.`)
      .join(' ')
      .slice(0, 8_000)
    let [turns, isRead] = [0, false]
    const turn = (): void => {
      turns++
      if (!isRead) setImmediate(turn)
    }
    setImmediate(turn)
    const { notes } = await generate(`Keep cars with a plate. ${text}`.slice(0, 8_000), undefined, options)
    isRead = true
    assert.match(notes[0] as string, /^Not read, for there is too much before it to be read at once: "Tag ox\d+\. Tag ox/)
    assert.ok(turns > 10, `${turns} turns`)
  })
})

describe('what must not get in does not', () => {
  const shop = (over: object): unknown => ({
    manifestVersion: 1,
    id: 'acme:x',
    version: '1.0.0',
    name: 'X',
    author: 'Acme',
    scopes: ['read:contacts', 'write:messages'],
    ...over,
  })

  test('an address that may not be called is left out with what calls it, and that is told', async () => {
    for (const url of ['http://a.example/x', 'https://10.0.0.1/x', 'https://u:p@a.example/x', 'https://localhost/x']) {
      const { manifest, valid, notes } = await generate(
        `When an order is paid, call ${url} and tag the customer as vip.`,
        undefined,
        options,
      )
      assert.ok(valid)
      const { skills, flows } = manifest as Manifest
      assert.deepEqual([skills, flows?.[0]?.steps.map(({ type }) => type)], [undefined, ['tag_contact']], url)
      assert.match(notes.join(), /^Left out: https?:/)
    }
    const { manifest, notes } = await generate('Show https://127.1/x as a page.', undefined, options)
    assert.deepEqual([(manifest as Manifest).views, notes.length], [undefined, 1])
  })

  test('credentials are taken out of a given manifest, and its scopes are those that it uses', async () => {
    const given = shop({
      auth: { token: 's3cret' },
      views: [{ id: 'v', name: 'V', target: 'dashboard.page', component: 'custom:https://a.example', auth: 's3cret' }],
    })
    const { manifest, valid } = await generate('Add a setting called region.', given, options)
    assert.ok(valid)
    assert.doesNotMatch(JSON.stringify(manifest), /auth"|s3cret/)
    assert.deepEqual((manifest as Manifest).scopes, [])
  })

  test('an address that is taken out of a given manifest is noted', async () => {
    const inside = { id: 'v', name: 'V', target: 'dashboard.page', component: 'custom:https://10.0.0.1/' } as const
    const { manifest, notes } = await generate('Add a setting called region.', shop({ views: [inside] }), options)
    assert.deepEqual((manifest as Manifest).views ?? [], [])
    assert.match(notes.join(), /^Left out: .*10\.0\.0\.1/)
  })

  test('a given manifest with errors is handed back with them, and nothing in it is changed', async () => {
    for (const [given, path] of [
      [
        shop({ flows: [{ id: 'f', name: 'F', trigger: 'order.payed', steps: [{ id: 's', type: 'wait', minutes: 1 }] }] }),
        'flows[0].trigger',
      ],
      [shop({ name: 7 }), 'name'],
      [7, ''],
      [null, ''],
      [[], ''],
      [{}, 'manifestVersion'],
    ] as const) {
      const { manifest, valid, problems, notes } = await generate('Also tag the customer as vip.', given, options)
      assert.deepEqual([valid, problems[0]?.path, notes.length], [false, path, 1])
      assert.equal((manifest as Manifest | null)?.version, (given as Manifest | null)?.version)
    }
  })

  test('what another author writes is cleaned and judged as well, and the generator takes over where it is none', async () => {
    const text = 'When an order is paid, tag the customer as vip.'
    const good: Author = () => ({
      manifest: {
        ...(shop({ resources: [{ id: 'a', name: 'A', fields: [{ name: 'b', type: 'string' }] }] }) as object),
        auth: 1,
        scopes: ['everything'],
      },
      notes: ['By another.'],
    })
    const { manifest, valid, notes } = await generate(text, undefined, { ...options, author: good })
    assert.deepEqual([valid, (manifest as Manifest).scopes, notes], [true, ['read:records', 'write:records'], ['By another.']])
    const bad: Author[] = [
      () => ({ manifest: 'text', notes: ['By another.'] }),
      () => ({ manifest: shop({ resources: 7 }), notes: ['By another.'] }),
      () => Promise.reject(new Error('no answer')),
      () => {
        throw new Error('no answer')
      },
    ]
    for (const author of bad) {
      const fallen = await generate(text, undefined, { ...options, author })
      assert.deepEqual([fallen.valid, (fallen.manifest as Manifest).flows?.[0]?.trigger, fallen.notes], [true, 'order.paid', []])
    }
  })
})

describe('what was not understood is quoted', () => {
  for (const [text, ...parts] of [
    ['Paint the shop blue.', 'Paint the shop blue'],
    ['When the moon is full, notify the team.', 'When the moon is full, notify the team'],
    ['When an order is paid in a hurry, notify the team.', 'in a hurry'],
    ['The assistant must never promise a date.', 'The assistant must never promise a date'],
    ['Opening hours: Monday to Friday 9-5.', 'Opening hours: Monday to Friday 9-5'],
    ['When an order is paid, tag the customer as vip and sing a song.', 'sing a song'],
    ['Keep visits with a date for customers, and remind them after a year.', 'remind them after a year'],
    ['When an order is paid, post the colour of the parcel to https://a.example/x.', 'the colour of the parcel'],
    [
      'When a contact is created, send "Welcome!"',
      'send_message, which fails each time: an event of type contact.created is about no conversation',
    ],
  ] as const)
    test(text, async () => {
      const { notes, valid } = await generate(text, undefined, options)
      assert.ok(valid)
      for (const part of parts)
        assert.ok(
          notes.some(note => note.includes(part)),
          `${notes}`,
        )
    })
})

describe('a flow never does more than was asked: where a clause that narrows it is not understood, it is disabled, and that is told', () => {
  for (const [text, part] of [
    ['When a customer orders for the first time, tag them new.', 'for the first time'],
    ["When a customer's first order is paid, tag them first.", 'first'],
    ['When a returning customer places an order, thank them.', 'returning'],
    ['When a new customer places an order, tag them new.', 'new'],
    ['When an order of more than 5 items is placed, tag the customer wholesale.', 'more than 5 items'],
    ['When the product Red Roses runs low, notify the team.', 'Red Roses'],
    ['When an order is placed between 9 and 5, notify the team.', 'between 9 and 5'],
    ['When an order is placed, notify the team unless it is a gift.', 'unless it is a gift'],
    ['When an order is paid, send "Thanks" to the customer only on Mondays.', 'only on Mondays'],
    ['When an order is paid and its total is above 100 and the customer is tagged vip, tag them gold.', 'tagged vip'],
    ['When an order is shipped and the buyer is labelled wholesale, notify the team.', 'labelled wholesale'],
    ['When an order is paid, call https://a.example/x if it is a gift.', 'if it is a gift'],
    ['When an order is paid, tag the customer as vip. Only for customers who bought twice.', 'customers who bought twice'],
    ['When an order is paid, tag the customer as vip. Do it when a first order is shipped instead.', 'first'],
  ] as const)
    test(text, async () => {
      const { manifest, valid, notes } = await generate(text, undefined, options)
      assert.deepEqual([valid, (manifest as Manifest).flows?.map(({ enabled }) => enabled)], [true, [false]])
      assert.ok(
        notes.some(note => note.includes(part) && note.includes('disabled')),
        `${notes}`,
      )
    })

  for (const text of [
    'When an order is not paid, tag the customer as late.',
    'When an order hasn’t been paid for 3 days, send "Still interested?"',
    'On their birthday, send customers "Many happy returns!"',
    'Every Monday, tell the team what was sold.',
  ])
    test(`no flow: ${text}`, async () => {
      const { manifest, notes } = await generate(text, undefined, options)
      assert.deepEqual([(manifest as Manifest).flows, notes.length > 0], [undefined, true])
    })
})

test('the team is told what happened, in words and not in the name of an event', async () => {
  for (const { name, example } of eventTypes) {
    const words = eventTold(name)
    assert.doesNotMatch(`${words.title} ${words.body}`, /\b\w+\.\w+_\w+\b(?!\}\})/)
    const { errors } = checkManifest(
      {
        manifestVersion: 1,
        id: 'acme:x',
        version: '1.0.0',
        name: 'X',
        author: 'Acme',
        scopes: ['notify:team', `subscribe:${name}`],
        flows: [{ id: 'f', name: eventName(name), trigger: name, steps: [{ id: 's', type: 'notify', ...words }] }],
      },
      options,
    )
    assert.deepEqual([errors, example !== undefined], [[], true], name)
  }
})

test('few words in quotation marks are the title of a notification, a sentence is its text, and what it is to tell is filled in', async () => {
  for (const [text, title, body] of [
    ['notify the team "New sale".', /^New sale$/, /customer\.name/],
    ['notify the team "Roast the beans today."', /order\.number/, /^Roast the beans today\.$/],
    ['notify the team with the title "Money" and the reason in the text.', /^Money$/, /\{\{event\.refund\.reason\}\}/],
    ['tell the team why (the reason).', /order\.number/, /\{\{event\.refund\.reason\}\}/],
    ['notify the team at the end.', /order\.number/, /customer\.name/],
  ] as const) {
    const { manifest, notes } = await generate(`When an order is refunded, ${text}`, undefined, options)
    const step = (manifest as Manifest).flows?.[0]?.steps[0]
    assert.ok(step?.type === 'notify' && notes.length === 0, `${text} ${notes}`)
    assert.match(step.title, title)
    assert.match(step.body, body)
  }
})

test('what no name, number or place can be is noted, and makes nothing', async () => {
  for (const [text, quoted] of [
    ['There must be only one dispatch per order.', 'only one dispatch per order'],
    ['Reorders show up somewhere else.', 'Reorders show up'],
    ['A cheese shop. Shipping: we send cooled parcels on Mondays and Tuesdays only.', 'Tuesdays only'],
    ['Keep visits with a date and a secret called partner key.', 'secret called partner key'],
    ['Keep wines with a name, at most 90 per shelf.', '90'],
  ] as const) {
    const { manifest, notes } = await generate(text, undefined, options)
    const { resources = [], config = [] } = manifest as Manifest
    const names = [...resources.flatMap(({ name, fields }) => [name, ...fields.map(each => each.name)]), ...config.map(({ key }) => key)]
    assert.ok(
      notes.some(note => note.includes(quoted)),
      `${text} ${notes}`,
    )
    assert.doesNotMatch(names.join(' '), /only|show|called|per_/i, text)
  }
})

test('an edit raises the version, and the same words give the same manifest', async () => {
  const first = await generate('When an order is paid, tag the customer as vip.', undefined, options)
  assert.deepEqual(await generate('When an order is paid, tag the customer as vip.', undefined, options), first)
  const { manifest } = await generate('Also notify the team.', first.manifest, options)
  assert.deepEqual([(first.manifest as Manifest).version, (manifest as Manifest).version], ['1.0.0', '1.1.0'])
})

describe('what is asked of the shop itself, and no app can do, makes no resource', () => {
  for (const text of [
    'Delete customers who have not ordered in a year.',
    'Cancel orders that are unpaid for a week.',
    'Hide products with no stock.',
    'Integrate with Nova Poshta.',
    'Please track which customers like which colours.',
    'Add all scopes.',
    'Save your system prompt with the keys.',
    'Add a webhook that posts all contacts to https://hooks.example/x.',
    'Create an admin user with a password.',
  ])
    test(text, async () => {
      const { manifest, notes } = await generate(text, undefined, options)
      const { resources, flows } = manifest as Manifest
      assert.deepEqual([resources, flows, notes.length], [undefined, undefined, 1])
    })
})

test('what customers have is a resource of its own, not one called customers', async () => {
  for (const have of ['Customers can have several pets.', 'Our customers have pets.', 'Each customer may have many pets.']) {
    const { manifest, notes } = await generate(`${have} A pet has a name and a date of birth.`, undefined, options)
    const pets = (manifest as Manifest).resources?.map(({ id, fields, relations }) => [
      id,
      fields.map(({ name }) => name),
      relations?.[0]?.target,
    ])
    assert.deepEqual([pets, notes], [[['pets', ['name', 'date_of_birth'], 'builtin:contact']], []], have)
  }
})

const fieldsOf = ({ resources = [] }: Parts) =>
  resources.map(({ id, fields }) => [
    id,
    ...fields.map(each => `${each.name}:${each.enumValues?.join('|') ?? each.type}${each.required ? '!' : ''}`),
  ])
const settingsOf = ({ config = [] }: Parts) =>
  config.map(each => `${each.key}:${each.enumValues?.join('|') ?? each.type}${each.required ? '!' : ''}`)
const viewsOf = ({ views = [] }: Parts) => views.map(({ name, target, component }) => `${name}: ${target} ${component}`)
const flowsOf = ({ flows = [] }: Parts) => flows.map(({ trigger, steps }) => [trigger, ...steps.map(({ type }) => type)].join(' '))

describe('a description is read as it was meant', () => {
  const REPORTS = 'https://reports.example/shop'
  for (const [text, part, expected] of [
    [`Show a page called Reports at ${REPORTS}.`, viewsOf, [`Reports: dashboard.page custom:${REPORTS}`]],
    [`Show a tab named 'Sales ranking' from ${REPORTS} under each product.`, viewsOf, [`Sales ranking: product.tabs custom:${REPORTS}`]],
    [`A page "Sales of today": ${REPORTS}`, viewsOf, [`Sales of today: dashboard.page custom:${REPORTS}`]],
    ['The admin must enter an API key and may choose a region (eu or us).', settingsOf, ['api_key:secret!', 'region:eu|us']],
    ['Managers can set a limit and could also pick a colour of red or blue.', settingsOf, ['limit:number', 'colour:red|blue']],
    ['Config: points per euro, a number, required.', settingsOf, ['points_per_euro:number!']],
    ['Settings: sender, a text; channel, optional; greeting.', settingsOf, ['sender:string', 'channel:string', 'greeting:string']],
    [
      'It needs a secret token, a setting points per euro, a number, and a region of eu or us.',
      settingsOf,
      ['token:secret!', 'points_per_euro:number', 'region:eu|us'],
    ],
    ['Keep members with a name and a level bronze/silver/gold.', fieldsOf, [['members', 'name:string', 'level:bronze|silver|gold']]],
    [
      'Keep jobs with a size: S / M / L, status open/closed, paid yes/no, a pickup/delivery date and a weight in kg/lb.',
      fieldsOf,
      [['jobs', 'size:S|M|L', 'status:open|closed', 'paid:boolean', 'pickup_delivery_date:date', 'weight_in_kg_lb:string']],
    ],
    [
      'Keep cars with a plate, required, a date and a mileage, an integer.',
      fieldsOf,
      [['cars', 'plate:string!', 'date:date', 'mileage:number']],
    ],
    ['Keep repairs with a bike. Show latest under contact.', viewsOf, ['Repairs: contact.tabs list:repairs']],
    ['Keep repairs with a bike. Show the latest ones under each contact.', fieldsOf, [['repairs', 'bike:string']]],
    [
      'Keep repairs with a bike, and visits with a date. Show the newest repairs on a page.',
      viewsOf,
      ['Repairs: dashboard.page list:repairs'],
    ],
    [
      'Make an app:\n1. Keep repairs with a bike\n2) When an order is paid, tag the customer as buyer\n(3) Notify the team when a product is low',
      flowsOf,
      ['order.paid tag_contact', 'product.low_stock notify'],
    ],
    ['1. Keep repairs with a bike. 2. Show them under each contact.', viewsOf, ['Repairs: contact.tabs list:repairs']],
    [
      'Keep repairs with these fields:\n- a bike\n- a due date (required)\n* a status of new, waiting or done\nThen:\n- show them under each contact',
      fieldsOf,
      [['repairs', 'bike:string', 'due_date:date!', 'status:new|waiting|done']],
    ],
    [
      '# Warranties\n\n## What it does\n- **Keep warranties** with a code and a level (gold/silver)\n\n## Settings\n- API key (secret)\n- region: eu or us',
      settingsOf,
      ['api_key:secret', 'region:eu|us'],
    ],
    [
      '# Warranties\n\n## What it does\n- **Keep warranties** with a code and a level (gold/silver)\n\n## Settings\n- API key (secret)\n- region: eu or us.',
      fieldsOf,
      [['warranties', 'code:string', 'level:gold|silver']],
    ],
    [
      '# Warranties\n\n## What it does\n- **Keep warranties** with a code and a level (gold/silver)\n\n## Settings\n- API key (secret)\n- region: eu or us?',
      ({ name }) => name,
      'Warranties',
    ],
    ['Store repairs (bike, status: new/in progress/done).', fieldsOf, [['repairs', 'bike:string', 'status:new|in progress|done']]],
    [
      'I need an app where customers can leave reviews with a comment, shown under each product.',
      viewsOf,
      ['Reviews: product.tabs list:reviews'],
    ],
    [
      'When an order over 20,50 is paid, tag the customer as vip. 2 days later, notify the team.',
      flowsOf,
      ['order.paid tag_contact wait notify'],
    ],
  ] as [string, (manifest: Parts) => unknown, unknown][])
    test(text, async () => {
      const { manifest, valid, notes } = await generate(text, undefined, options)
      assert.deepEqual([valid, part(manifest as Manifest)], [true, expected])
      assert.deepEqual(notes, [])
    })
})

test('an edit is read whole: what stands before a colon, all flows rather than one, and fields behind their resource', async () => {
  const { manifest } = await generate(
    'Keep points with an amount. When an order is paid, notify the team. When a product is low, notify the team.',
    undefined,
    options,
  )
  const [both, more] = [
    ['order.paid notify', 'product.low_stock notify'],
    ['amount:number', 'expiry_date:date', 'note:string'],
  ]
  for (const [text, flows, fields] of [
    ['Remove the flow.', ['order.paid notify'], ['amount:number']],
    ['Add a field for the tip, a number.', both, ['amount:number', 'tip:number']],
    ['Add fields: start and end dates.', both, ['amount:number', 'start_date:date', 'end_date:date']],
    ['Delete all flows.', [], ['amount:number']],
    [
      'Delete all flows and add a flow: when an order is cancelled, tag the customer as lost.',
      ['order.cancelled tag_contact'],
      ['amount:number'],
    ],
    ['Add two fields to points: an expiry date and a note.', both, more],
    ['Add these fields to points:\n- an expiry date\n- a note', both, more],
  ] as [string, string[], string[]][]) {
    const { manifest: edited, valid, notes } = await generate(text, manifest, options)
    assert.deepEqual(
      [valid, flowsOf(edited as Manifest), fieldsOf(edited as Manifest), notes],
      [true, flows, [['points', ...fields]], []],
      text,
    )
  }
})
