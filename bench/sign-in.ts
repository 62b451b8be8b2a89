// Orders read while many people sign in, against the same reads without them; and what web weighs meanwhile.
import { hashPassword } from '../src/access/password.ts'
import { newId } from '../src/ids.ts'
import { PASSWORD } from '../test/support/password.ts'
import { aWebBrowser } from '../test/support/web-browser.ts'
import { median, verdict } from './compare.ts'
import type { Dataset } from './dataset.ts'
import { type Contender, httpLoad, type Round } from './load.ts'
import { someOrders } from './read.ts'
import { get } from './request.ts'
import { startWeb } from './servers.ts'

const PEOPLE = 64
const READERS = 16
const ROUNDS = 7
const ROUND_MS = 3_000
const SAMPLE_MS = 50
const P99_AT_MOST = 3
const LIMIT_MB = 240

export async function signIn(dataset: Dataset): Promise<void> {
  const emails = await somePeople(dataset)
  const web = await startWeb(dataset, { TRUST_PROXY: '127.0.0.1' })
  const orders = await someOrders(dataset)
  const reads = httpLoad(
    web.address,
    orders.map(({ key, tenant, id }) => get(`/api/v1/orders/${id}`, { key, tenant })),
    READERS,
  )
  const weights: number[] = []
  const sampling = setInterval(() => weights.push(web.resident()), SAMPLE_MS)
  try {
    await reads(ROUND_MS)
    const rounds: { idle: Round; beside: Round; signIns: number }[] = []
    for (let n = 0; n < ROUNDS; n++) rounds.push({ idle: await reads(ROUND_MS), ...(await besideSignIns(web.address, emails, reads)) })
    report(rounds, Math.max(...weights))
  } finally {
    clearInterval(sampling)
    await web.stop()
    await clearPeople(dataset, emails)
  }
}

/** All of them at once, and each anew as soon as they are in. */
async function besideSignIns(address: string, emails: string[], reads: Contender): Promise<{ beside: Round; signIns: number }> {
  let [over, signIns] = [false, 0]
  const people = emails.map(async (email, n) => {
    // Each at an address of their own: those of one address are limited together.
    const from = { 'X-Forwarded-For': `198.51.100.${n + 1}` }
    while (!over) {
      const { status, text } = await aWebBrowser(address, undefined, from).send('/sign-in', { email, password: PASSWORD })
      if (status !== 303) throw new Error(`a person could not sign in: ${status} ${text}`)
      signIns++
    }
  })
  const beside = await reads(ROUND_MS)
  over = true
  await Promise.all(people)
  return { beside, signIns }
}

function report(rounds: { idle: Round; beside: Round; signIns: number }[], peak: number): void {
  const line = (name: string, of: Round[]) =>
    console.log(
      `  ${name.padEnd(34)} ${Math.round(median(of.map(each => each.perSecond)))}/s, p50 ${median(of.map(each => each.p50)).toFixed(2)} ms, p99 ${median(of.map(each => each.p99)).toFixed(1)} ms`,
    )
  const ratios = rounds.map(({ idle, beside }) => beside.p99 / idle.p99)
  const [ratio, signIns] = [median(ratios), median(rounds.map(each => each.signIns))]
  console.log(`\nsign-in: orders read over ${READERS} connections while ${PEOPLE} people sign in`)
  line(
    'GET /api/v1/orders/{id}, idle',
    rounds.map(each => each.idle),
  )
  line(
    `while ${PEOPLE} sign in`,
    rounds.map(each => each.beside),
  )
  console.log(`  ${'signed in'.padEnd(34)} ${((signIns * 1000) / ROUND_MS).toFixed(0)}/s`)
  console.log(
    `  ${'p99'.padEnd(34)} ${ratio.toFixed(1)} × (${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)}), required ${P99_AT_MOST} ×: ${verdict(ratio <= P99_AT_MOST)}`,
  )
  console.log(`  ${'web at most'.padEnd(34)} ${(peak / 1e6).toFixed(0)} MB, required ${LIMIT_MB}: ${verdict(peak < LIMIT_MB * 1e6)}`)
}

/** One password for all, for its hash takes a while. @returns their addresses */
export async function somePeople({ db: { sql }, keys }: Dataset): Promise<string[]> {
  const hash = await hashPassword(PASSWORD)
  const rows = Array.from({ length: PEOPLE }, (_, n) => ({
    user: newId('usr'),
    email: `p${n}@sign-in.example`,
    tenant: keys[n % keys.length]?.tenant,
  }))
  await sql`delete from users where email = any(${rows.map(each => each.email)})`
  await sql`
    with r as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r ("user" text, email text, tenant text)),
         u as (insert into users (id, email, password_hash) select r."user", r.email, ${hash} from r)
    insert into memberships (tenant_id, user_id, role) select r.tenant, r."user", 'operator' from r`
  return rows.map(each => each.email)
}

export async function clearPeople({ db: { sql } }: Dataset, emails: string[]): Promise<void> {
  await sql`delete from users where email = any(${emails})`
  await sql`delete from audit_log where action in ('session.begin', 'session.end')`
}
