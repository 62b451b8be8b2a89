// `log` and `reapply`, as the nouns that own sources offer them.
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { Command } from 'commander'
import { sourceCommands } from '../../src/callbacks/commands.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { callbackApp } from './given.ts'

const app = await callbackApp()
await app.worker()
const source = await app.source()
const { tenant, id } = source

before(() => Object.assign(process.env, settingsOf(app)))
after(() => mock.restoreAll())

async function run(...args: string[]): Promise<string> {
  const said: string[] = []
  const log = mock.method(console, 'log', (text: string) => said.push(text))
  const program = new Command('shopdesk').exitOverride()
  sourceCommands(program.command('channel'), { prefix: 'chn', noun: 'channel' })
  try {
    await program.parseAsync(['channel', ...args, '--tenant', tenant], { from: 'user' })
  } finally {
    log.mock.restore()
  }
  return said.join('\n')
}

test('the log shows what became of each callback, page by page, and one with its body; what failed is given another try', async () => {
  assert.equal(await run('log', id), 'None.')
  for (const body of [{ text: 'a' }, { do: 'give up' }]) await app.send(source, body)
  await eventuallyHolds(async () =>
    assert.deepEqual(
      (await app.rows(source)).map(({ status }) => status),
      ['applied', 'failed'],
    ),
  )
  const { data, has_more } = JSON.parse(await run('log', id, '--json', '--limit', '1'))
  assert.deepEqual(
    [data.length, data[0].status, data[0].reason, data[0].body, has_more],
    [1, 'failed', 'it cannot be done', '{"do":"give up"}', true],
  )
  assert.match(await run('log', id, '--before', data[0].id), /applied/)
  assert.match(await run('log', id, '--status', 'failed'), /it cannot be done/)
  assert.match(await run('log', id, '--callback', data[0].id), /"do": "give up"/)
  assert.equal(await run('reapply', id, '--callback', data[0].id, '--json'), JSON.stringify({ id, reapplied: 1 }))
  await eventuallyHolds(async () => assert.equal((await app.rows(source))[1]?.status, 'failed'))
  await assert.rejects(run('log', 'chn_unknown'), /no such channel/i)
  await assert.rejects(run('log', id, '--limit', '0'), /--limit/)
})
