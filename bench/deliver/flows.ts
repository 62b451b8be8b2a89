// The same drains where each workspace has the thousand flows that it may have, on other events, and where these are disabled, by turns.
import { installApp } from '../../test/support/apps.ts'
import { median, verdict } from '../compare.ts'
import { APPS, anApp } from '../flows/orders.ts'
import { installing } from '../flows/shops.ts'
import { drain, FAST, line, runScenario, type Setup } from './deliver.ts'

const ROUNDS = 5

export async function deliverFlows(): Promise<void> {
  await runScenario({ ...FAST, title: 'a receiver that answers at once, beside 1 000 installed flows' }, async setup => {
    const { sql } = setup.environment.db
    for (const tenant of new Set(setup.endpoints.map(each => each.tenant)))
      for (let i = 0; i < APPS; i++) await installApp(installing(sql), { id: tenant }, anApp(i, 'conversation.closed'))
    const [without, beside]: [number[], number[]] = [[], []]
    for (let i = 0; i < ROUNDS; i++) {
      without.push(await rate(setup, 'disabled'))
      beside.push(await rate(setup, 'active'))
    }
    line('without flows', without)
    line('beside 1 000 flows', beside)
    const [least, middle] = [Math.min(...without), median(beside)]
    console.log(`  ${'within the spread without flows'.padEnd(34)} ${verdict(middle >= least)}`)
  })
}

async function rate(setup: Setup, state: 'active' | 'disabled'): Promise<number> {
  await setup.environment.db.sql`update apps set state = ${state}`
  return (await drain(setup, FAST.count)).perSecond
}
