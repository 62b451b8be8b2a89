// Random histories of a shop around odd nights: after every step the figures are what a count from the tables says, folded or not; and a count anew finds
// nothing to put right, and all of it where nothing was counted.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { figures } from '../../src/analytics/figures.ts'
import { folder } from '../../src/analytics/fold.ts'
import { recount } from '../../src/analytics/recount.ts'
import { PERIODS } from '../../src/analytics/schema.ts'
import { now } from '../../src/clock.ts'
import { updateTenant } from '../../src/tenants/tenants.ts'
import { moveClock } from '../support/clock.ts'
import { connectedDatabase } from '../support/database.ts'
import { seeded } from '../support/random.ts'
import { reckoned } from './reckoning.ts'
import { aShop, type Shop } from './shop.ts'

const { sql } = await connectedDatabase({ lanes: 0, pool: 2 })
const fold = folder()
// Files after this one share the process.
after(() => moveClock(Date.now()))

async function assertCounted({ tenant }: Shop, told: string): Promise<void> {
  for (const name of PERIODS) {
    const shown = await figures(sql, { tenant }, name)
    assert.deepEqual(shown, await reckoned(sql, tenant, name, Date.parse(shown.period.to)), `${name}, ${told}`)
    JSON.stringify(shown, (name, value: unknown) => {
      if (typeof value === 'number') names.add(name)
      if (typeof value === 'number' && value !== 0) something.add(name)
      return value
    })
  }
}

const HOUR_MS = 3_600_000
const STEPS = 35

/** The names of all that is counted; and of what was ever more than nothing. */
const [names, something] = [new Set<string>(), new Set<string>()]

const NIGHTS: [zone: string, night: string, what: string][] = [
  ['Asia/Kathmandu', '2026-05-10T00:00:00+05:45', 'a zone of three quarters of an hour'],
  ['America/St_Johns', '2026-01-10T00:00:00-03:30', 'a zone of half an hour behind'],
  ['Europe/Kyiv', '2026-03-29T03:00:00+02:00', 'the night that is an hour shorter'],
  ['Europe/Kyiv', '2026-10-25T03:00:00+02:00', 'the night that is an hour longer'],
  ['Asia/Beirut', '2026-03-29T00:00:00+02:00', 'a day that begins at one'],
  ['America/Havana', '2026-11-01T00:00:00-04:00', 'a day whose first hour comes twice'],
  ['Pacific/Apia', '2011-12-31T00:00:00+14:00', 'a day that was left out'],
]

for (const [zone, night, what] of NIGHTS) {
  test(`in ${zone}, over ${what}, every step counts as it happens`, async () => {
    const random = seeded(Date.parse(night) / 1000)
    // Two days before, and some days after: the longest steps come in the middle of the night.
    let at = Date.parse(night) - 40 * HOUR_MS
    moveClock(at)
    const shop = await aShop(sql, zone, random)
    const done: string[] = []
    for (let step = 0; step < STEPS; step++) {
      const isNear = Math.abs(at - Date.parse(night)) < 3 * HOUR_MS
      at += random.between(0, isNear ? 0.6 : 4) * HOUR_MS
      moveClock(at)
      done.push(await shop.step())
      if (random.next() < 0.3) await fold(sql)
      await assertCounted(shop, `step ${step} at ${new Date(now()).toISOString()}: ${done.slice(-5).join('; ')}`)
    }
    assert.equal(await recount(sql, shop.tenant), 0, 'nothing to put right')
    for (const table of ['analytics_differences', 'analytics_quarters', 'analytics_products'])
      await sql`delete from ${sql(table)} where tenant_id = ${shop.tenant}`
    assert.ok((await recount(sql, shop.tenant)) > 0)
    await assertCounted(shop, 'counted anew')
    await fold(sql)
    await assertCounted(shop, 'and folded')
    for (const table of ['analytics_blocks', 'analytics_hours']) {
      await sql`delete from ${sql(table)} where tenant_id = ${shop.tenant}`
      assert.ok((await recount(sql, shop.tenant)) > 0)
      await assertCounted(shop, `with ${table} of a worker that knew none`)
    }
    assert.equal(await recount(sql, shop.tenant), 0, 'nothing to put right any more')
  })
}

test('whatever is counted has happened in one of these nights', () => {
  assert.ok(names.size >= 20)
  assert.deepEqual(
    [...names].filter(name => !something.has(name)),
    [],
  )
})

test('with another time zone the days of orders and messages are others at once, and those of products after a count anew', async () => {
  const random = seeded(14)
  const start = Date.parse('2026-06-10T10:00:00Z')
  moveClock(start)
  const shop = await aShop(sql, 'Europe/Kyiv', random)
  for (let step = 0; step < STEPS; step++) {
    moveClock(start + step * HOUR_MS)
    await shop.step()
  }
  await fold(sql)
  await updateTenant(sql, { tenant: shop.tenant, actor: { type: 'cli' } }, { time_zone: 'America/St_Johns' })
  for (const name of PERIODS) {
    const { top_products: _before, ...shown } = await figures(sql, { tenant: shop.tenant }, name)
    const { top_products: _counted, ...expected } = await reckoned(sql, shop.tenant, name, Date.parse(shown.period.to))
    assert.deepEqual(shown, expected, name)
  }
  assert.ok((await recount(sql, shop.tenant)) > 0)
  await assertCounted(shop, 'counted anew')
})
