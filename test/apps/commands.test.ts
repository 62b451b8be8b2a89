// `shopdesk app …`: apps installed, upgraded, set up and taken away from the command line.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { settingsOf as settingsOfApp } from '../../src/apps/installed.ts'
import { testApp } from '../support/app.ts'
import { aManifest, credentialOf, fullManifest } from '../support/apps.ts'
import { command } from '../support/command.ts'
import { runOnTerminal } from '../support/processes.ts'
import { settingsOf } from '../support/shopdesk.ts'

const app = await testApp()
const shop = await app.tenant()
const folder = mkdtempSync(join(tmpdir(), 'apps-'))
after(() => rmSync(folder, { recursive: true }))

const written = (value: unknown, name = 'loyalty.json'): string => {
  const file = join(folder, name)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return file
}
const run = (name: string, ...args: string[]) => command(['app', name, ...args, '--tenant', shop.id], settingsOf(app))
const json = async (name: string, ...args: string[]) => {
  const { stdout, stderr, code } = await run(name, ...args, '--json')
  assert.equal(code, 0, stderr + stdout)
  return JSON.parse(stdout)
}

test('an app is installed, upgraded and set up, each step told to people and to programs', async () => {
  const manifest = aManifest({
    config: [
      { key: 'api_key', type: 'secret', required: true },
      { key: 'rate', type: 'number' },
    ],
  })
  const dry = await run('install', '--manifest', written(manifest), '--dry-run')
  assert.equal(dry.code, 0, dry.stderr)
  assert.match(dry.stdout, /Loyalty \(acme:loyalty\) would be installed: revision 1, needs_config\./)
  assert.equal((await json('list')).data.length, 0)
  const made = await json('install', '--manifest', written(manifest))
  const { id, warnings, ...rest } = made
  assert.deepEqual(rest, {
    full_id: 'acme:loyalty',
    version: '1.0.0',
    revision: 1,
    outcome: 'installed',
    status: 'needs_config',
    scopes: [],
  })
  assert.deepEqual(
    warnings.map(({ path, code }: Record<string, string>) => [path, code]),
    [['config[0]', 'config_required']],
  )
  const secret = written('key-of-the-shop\n', 'key.txt')
  assert.deepEqual((await json('config', 'acme:loyalty', `api_key=@${secret}`, 'rate=2.5')).status, 'active')
  assert.deepEqual(await settingsOfApp(app.sql, app.keyring, shop.id, id), { plain: { rate: 2.5 }, secret: { api_key: 'key-of-the-shop' } })
  const wrong = await run('config', id, 'rate=much', 'tier=gold')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /rate must be a number\. tier is not a setting of this app; it has api_key, rate\./)
  assert.equal((await json('config', id, 'rate=')).status, 'active')
  await json('credential', id, '--auth', 'bearer', '--secret', `@${secret}`)
  assert.deepEqual(await credentialOf(app, shop, id), { mode: 'bearer', secret: 'key-of-the-shop' })
  assert.match((await run('credential', id, '--auth', 'hmac')).stderr, /needs --secret/)
  const shown = await run('show', 'acme:loyalty')
  assert.match(shown.stdout, /status +active/)
  assert.doesNotMatch(shown.stdout, /of-the-shop/)
  assert.match((await run('list')).stdout, /acme:loyalty/)
})

test('an upgrade shows what changes, and wants --grant for what it asks for', async () => {
  const file = written({ ...fullManifest, id: 'acme:larger', name: 'Larger' }, 'larger.json')
  await json('install', '--manifest', written(aManifest({ id: 'acme:larger', name: 'Larger' }), 'smaller.json'))
  const refused = await run('install', '--manifest', file)
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /\+ scope notify:team/)
  assert.match(refused.stdout, /\+ flows award/)
  assert.match(refused.stdout, /larger\.json:\d+:\d+ {2}scopes\[0\] {2}asks for read:contacts, .*\(scope_not_granted\)/)
  assert.match(refused.stdout, /add --grant/)
  const told = await run('install', '--manifest', file, '--json')
  assert.equal(told.code, 1)
  const { ok, errors } = JSON.parse(told.stdout)
  assert.deepEqual([ok, errors.length, errors[0].code, typeof errors[0].line], [false, 5, 'scope_not_granted', 'number'])
  const granted = await json('install', '--manifest', file, '--grant', '--config', 'rate=3')
  assert.deepEqual([granted.outcome, granted.revision, granted.scopes], ['upgraded', 2, fullManifest.scopes])
  assert.equal((await json('install', '--manifest', file)).outcome, 'unchanged')
  const wrong = await run('install', '--manifest', file, '--config', 'rate=x', '--auth', 'bearer', '--secret', 'a b')
  assert.match(wrong.stdout, /--config rate must be a number\.\n--secret must be letters/)
})

test('a terminal is asked whether to grant what an upgrade wants: y grants it, anything else leaves the app as it is', async t => {
  if (!/util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''))
    return t.skip('there is no util-linux script')
  await json('install', '--manifest', written(aManifest({ id: 'acme:asking', name: 'Asking' }), 'asking.json'))
  const file = written({ ...fullManifest, id: 'acme:asking', name: 'Asking' }, 'asking.json')
  for (const [answer, code, said] of [
    ['', 1, /asks for read:contacts/],
    ['n', 1, /asks for read:contacts/],
    ['y', 0, /Asking \(acme:asking\) is upgraded: .* revision 2, active/],
  ] as const) {
    const asking = runOnTerminal(['app', 'install', '--manifest', file, '--tenant', shop.id], settingsOf(app))
    await asking.says(/The upgrade changes:[\s\S]*\+ scope notify:team[\s\S]*Grant the scopes that it asks for\? \(y\/N\)/)
    asking.child.stdin?.write(`${answer}\r`)
    assert.equal(await asking.ended, code, asking.output())
    assert.match(asking.stdout(), said)
  }
})

test('a file that is no manifest is refused with its place', async () => {
  const { code, stdout } = await run('install', '--manifest', written('{"manifestVersion":1,}', 'broken.json'))
  assert.equal(code, 1)
  assert.match(stdout, /broken\.json:1:\d+ .*\(invalid_json\)/)
  assert.match((await run('install', '--manifest', join(folder, 'none.json'))).stderr, /cannot be read: there is no such file/)
})

test('an app is disabled, enabled and uninstalled, and one that is not there is told so', async () => {
  const { id } = await json('install', '--manifest', written(aManifest({ id: 'acme:brief' }), 'brief.json'))
  for (const [deed, status] of [
    ['disable', 'disabled'],
    ['enable', 'active'],
    ['uninstall', 'uninstalled'],
  ] as const)
    assert.deepEqual(await json(deed, 'acme:brief'), { id, full_id: 'acme:brief', status })
  const back = () => run('install', '--manifest', join(folder, 'brief.json'))
  assert.match((await run('list')).stdout, /^(?!.*acme:brief)/s)
  for (const deed of ['show', 'disable', 'enable', 'uninstall']) {
    const { code, stderr } = await run(deed, id)
    assert.deepEqual([code, stderr], [1, 'There is no such app.\n'], deed)
  }
  assert.match((await back()).stdout, /is installed: .*\nIt was uninstalled before: its records/)
})
