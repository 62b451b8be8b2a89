// `shopdesk app dev`: installed at every save, with errors in place; calls and runs told as they happen.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { installedApp } from '../../src/apps/installed.ts'
import { newId } from '../../src/ids.ts'
import { testApp } from '../support/app.ts'
import { aManifest, fullManifest } from '../support/apps.ts'
import { command } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { anOrder, ok } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const folder = mkdtempSync(join(tmpdir(), 'app-dev-'))
after(() => rmSync(folder, { recursive: true }))

test('each save is installed, a fault is told with its place, and what happens is told as it does', async () => {
  await app.startWorker()
  const shop = await app.tenant()
  const file = join(folder, 'loyalty.json')
  const save = (value: unknown) => writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  save(aManifest())
  const proxy = await flakyProxy(app.databaseUrl)
  const settings = {
    ...settingsOf(app),
    DATABASE_URL: proxy.url,
    OUTBOUND_ALLOW_PRIVATE: 'false',
    OUTBOUND_ALLOW_ORIGINS: 'http://127.0.0.1:4001',
  }
  const dev = shopdesk(['app', 'dev', '--manifest', file, '--tenant', shop.id], settings)
  await dev.says(/acme:loyalty is installed: revision 1, active\./)
  save('{"manifestVersion": 1,\n  "id": 7,}')
  await dev.says(/loyalty\.json:2:\d+ .*\(invalid_json\)/)
  save(aManifest())
  await dev.says(/acme:loyalty is as it was: revision 1, active\./)
  const [skill] = fullManifest.skills ?? []
  save({ ...fullManifest, skills: [{ ...skill, id: 'not an id', endpoint: 'http://127.0.0.1:4001/balance' }] })
  await dev.says(/skills\[0\]\.id /)
  assert.doesNotMatch(dev.output(), /To call a service/, 'of an address that is allowed')
  save({ ...fullManifest, skills: [{ ...skill, endpoint: 'http://127.0.0.1:4000/balance' }] })
  await dev.says(/To call a service on this machine, .*OUTBOUND_ALLOW_ORIGINS=http:\/\/127\.0\.0\.1:4000/)
  save(fullManifest)
  await dev.says(/acme:loyalty is upgraded: revision 2, active\./)
  await dev.says(/\+ scope notify:team/)
  const { id } = (await installedApp(app.sql, shop.id, 'acme:loyalty')) ?? assert.fail()
  const order = ok(await shop.post('/api/v1/orders', anOrder()))
  ok(await shop.post(`/api/v1/orders/${order.id}/payments`, {}))
  await dev.says(/run award on order\.paid: succeeded \(run_\w{26}\)\n {2}tell: succeeded/)
  const about = (...args: string[]) => command(['app', ...args, '--tenant', shop.id], settingsOf(app))
  const { stdout } = await about('runs', id, '--json')
  const [run] = JSON.parse(stdout).data
  assert.deepEqual([run.flow_id, run.status], ['award', 'succeeded'])
  assert.match(
    (await about('runs', 'acme:loyalty', run.id)).stdout,
    /award on order\.paid evt_\w+, succeeded\n\ntell: succeeded\n {2}given /,
  )
  assert.match((await about('runs', 'acme:loyalty', '--failed')).stdout, /None\./)
  assert.match((await about('retry', run.id)).stderr, /Only a run that failed/)
  assert.match((await about('cancel', run.id)).stderr, /The run is over/)
  assert.match((await about('cancel', newId('run'))).stderr, /no such run/)
  await app.sql`
    insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, key, input, stage, code, error, duration_ms, ended_at, request,
                             response)
    values (${shop.id}, ${newId('call')}, ${id}, 2, 'balance', 'test', ${newId('run')}, 'k', '{"customer":"Ada"}', 'network', 'private_address',
            'The address is private.', 3, now(), '{"url":"http://127.0.0.1:4000/balance","headers":{}}',
            ${JSON.stringify({ headers: {}, body: 'an\u001b[2Jswer', bytes: 10, truncated: false })}::text::jsonb)`
  await dev.says(/call balance \(test\): private_address, 3 ms\n {2}asked {5}\{"customer":"Ada"\}\n {2}answered {2}an \[2Jswer/)
  // As where a branch without it is looked at.
  rmSync(folder, { recursive: true })
  await dev.says(/loyalty\.json cannot be read: there is no such file\./)
  mkdirSync(folder)
  save(aManifest({ id: 'acme:points' }))
  await dev.says(/acme:points is an app beside acme:loyalty, which stays installed[^\n]*\n.*app uninstall acme:loyalty --tenant ten_/)
  // As where PostgreSQL is started anew.
  proxy.block()
  proxy.cut()
  await eventually(async () => /The database does not answer/.test(dev.output()))
  save(aManifest({ id: 'acme:points', name: 'Saved meanwhile' }))
  proxy.mend()
  await dev.says(/acme:points is upgraded: revision 2, active\./)
  await eventually(async () => /The database answers again\./.test(dev.output()))
  assert.equal(await dev.stop('SIGINT'), 0)
})

/** What is left of the second for the work itself. */
const WORK_MS = 500

test('a save is installed within a second: of that the command waits for half at most', async () => {
  const shop = await app.tenant()
  const file = join(mkdtempSync(join(folder, 'saves-')), 'loyalty.json')
  // As editors do it.
  const save = (version: string): bigint => {
    writeFileSync(`${file}~`, JSON.stringify(aManifest({ version })))
    renameSync(`${file}~`, file)
    return statSync(file, { bigint: true }).mtimeNs
  }
  save('1.0.0')
  const dev = shopdesk(['app', 'dev', '--manifest', file, '--tenant', shop.id], {
    ...settingsOf(app),
    NODE_OPTIONS: `--import ${new URL('telling-waits.ts', import.meta.url)}`,
  })
  for (const revision of [1, 2, 3, 4]) {
    const installed = new RegExp(`: revision ${revision}, active`)
    const savedAt = revision === 1 ? undefined : save(`1.0.${revision}`)
    await dev.says(installed)
    if (savedAt === undefined) continue
    const [before = ''] = dev.stdout().split(installed)
    const waits = [...before.matchAll(/waited for (\d+) ms, saved at (\d+)/g)].filter(([, , at]) => at === String(savedAt))
    const sum = waits.reduce((total, [, ms]) => total + Number(ms), 0)
    assert.ok(sum > 0 && sum <= 1_000 - WORK_MS, `${sum} ms of waits: ${before}`)
  }
  assert.equal(await dev.stop('SIGINT'), 0)
})
