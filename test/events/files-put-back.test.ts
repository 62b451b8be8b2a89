// A server that gets the files back that it had before goes back in time on its own cluster and timeline. By the step that docs/reliability.md asks for it gets a
// timeline of its own, and no cursor from before passes over what happens then.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { openEmbedded, removeTemporary, SERVICE_ROLE, temporaryFolder } from '../../src/postgres/embedded/embedded.ts'
import { isAlive } from '../../src/postgres/embedded/home.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { startWeb } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anOrder } from '../support/given.ts'
import { putPrepared } from '../support/prepared.ts'

const app = await testApp()

/** The commands that the guide has an operator run in a shell, with PGDATA set, before the first start on such files. */
const [, step = ''] =
  /```sh\n([^`]*recovery\.signal[^`]*)```/.exec(readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8')) ?? []

type Page = { data: { data: { order_id: string } }[]; resume_cursor: string }

interface Running {
  sql: Sql
  /** @returns the id of an order that was placed */
  order(): Promise<string>
  /** @returns the orders that events tell of, and the cursor behind them */
  read(count: number, from?: string): Promise<{ orders: string[]; resume: string }>
}

for (const [files, ends] of [
  ['the files that were copied while it was stopped', 'in good order'],
  ['a snapshot of its disk', 'by a crash'],
] as const)
  test(`by the documented step a server with ${files} has a timeline of its own, and cursors that were given since go on without loss`, async () => {
    const dataDir = putPrepared(temporaryFolder())
    after(() => removeTemporary(dataDir))
    let key: string | undefined
    /** @param ends how the server does @returns its folder, when it has ended */
    async function whileItRuns(
      work: (running: Running) => Promise<void>,
      ends: 'in good order' | 'by a crash' = 'in good order',
    ): Promise<string> {
      const server = await openEmbedded({ dataDir, settings: { fsync: 'off' } })
      await migrate(server.url, SERVICE_ROLE)
      const { sql, close } = openDatabase(server.url, { name: 'test', lanes: 0, pool: 1 })
      key ??= await aKey(sql)
      const web = await startWeb({ ...app, databaseUrl: server.serviceUrl })
      const home = realpathSync(join(dataDir, 'postgres'))
      try {
        await work({ sql, ...asked(web.address, key) })
      } finally {
        await web.close()
        await close()
        const pid = Number(readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
        // A snapshot of a disk is what a crash leaves on it.
        if (ends === 'by a crash') process.kill(pid, 'SIGQUIT')
        await server.close()
        await eventually(async () => !isAlive(pid))
      }
      return home
    }

    let before: string[] = []
    const home = await whileItRuns(async ({ order, read }) => {
      before = [await order()]
      await read(1)
    }, ends)
    assert.equal(spawnSync('cp', ['-a', home, `${home}-copy`]).status, 0)
    after(() => rmSync(`${home}-copy`, { recursive: true, force: true }))
    let since = ''
    await whileItRuns(async ({ order, read, sql }) => {
      await order()
      // As many transactions as follow the way back and more: the numbers that the server then gives again are all below.
      await sql.unsafe('do $$ begin for i in 1..2000 loop perform pg_current_xact_id(); commit; end loop; end $$')
      await order()
      since = (await read(3)).resume
    })

    rmSync(home, { recursive: true })
    renameSync(`${home}-copy`, home)
    const stepped = spawnSync('sh', ['-ec', step], { env: { PGDATA: join(home, 'data') }, encoding: 'utf8' })
    assert.equal(stepped.status, 0, stepped.stderr)
    await whileItRuns(async ({ order, read, sql }) => {
      assert.match((await sql`select cluster_identity() as it`)[0]?.['it'], /\/00000002$/)
      const later = [await order(), await order()]
      assert.deepEqual((await read(2, since)).orders, later)
      assert.deepEqual((await read(3)).orders, [...before, ...later])
    })
  })

function asked(address: string, key: string): Pick<Running, 'order' | 'read'> {
  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${address}/api/v1${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return (await response.json()) as Answer
  }
  return {
    order: async () => (await ask<{ id: string }>('/orders', anOrder())).id,
    read: (count, from) =>
      eventuallyHolds(async () => {
        const page = await ask<Page>(`/events?limit=100${from ? `&after=${from}` : ''}`)
        const orders = page.data.map(each => each.data.order_id)
        assert.equal(orders.length, count)
        return { orders, resume: page.resume_cursor }
      }),
  }
}

async function aKey(sql: Sql): Promise<string> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  return (await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })).key
}
