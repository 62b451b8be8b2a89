// `shopdesk conversation …`, in a process of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { nobody } from '../support/given.ts'
import { runTyped } from '../support/processes.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aTalk, type Talk } from '../support/talks.ts'

const app = await testApp()

async function run(talk: Talk, args: string[]): Promise<{ out: string; err: string; code: number | string }> {
  const running = shopdesk(['conversation', ...args, '--tenant', talk.shop.id], settingsOf(app))
  const code = await running.ended
  return { out: running.stdout(), err: running.stderr(), code }
}

test('answers, notes, closes, assigns, pauses and resumes, in words or JSON', async () => {
  const talk = await aTalk(app)
  const replied = await run(talk, ['reply', talk.id, 'Yes, in M.', '--json'])
  const message = JSON.parse(replied.out)
  assert.deepEqual([message.status, message.author.via, message.text], ['queued', 'cli', 'Yes, in M.'])
  assert.match((await run(talk, ['note', talk.id, 'A friend.'])).out, /a note: A friend\.$/m)
  assert.match((await run(talk, ['resume', talk.id])).out, /assistant on/)
  assert.match((await run(talk, ['close', talk.id])).out, /closed/)
  const { err, code } = await run(talk, ['assign', talk.id, nobody('usr')])
  assert.deepEqual([code, /names no user of this workspace/.test(err)], [1, true])
  assert.deepEqual(await talk.texts(), ['Hello?', 'Yes, in M.', 'A friend.'])
  assert.match((await run(talk, ['show', talk.id])).out, /Hello\?[\s\S]*Yes, in M\. {2}\(queued\)[\s\S]*A friend/)
  assert.match((await run(talk, ['list', '--status', 'closed', '--unread', 'false'])).out, new RegExp(talk.id))
})

test('follow shows messages as they come, and each line that is typed is a reply', async () => {
  const talk = await aTalk(app)
  const following = runTyped(['conversation', 'follow', talk.id, '--tenant', talk.shop.id], settingsOf(app))
  const type = (text: string) => following.child.stdin?.write(text)
  await following.says(/Hello\?/)
  await talk.says('Is it\u001b[2J in M?\nOr L?')
  await following.says(/Is it \[2J in M\? Or L\?/)
  type('Yes, in M.\n')
  await following.says(/Yes, in M\. {2}\(queued\)/)
  const { messages } = await talk.read()
  await talk.fate(messages[0].id, 'sent', { external_id: 'x' })
  await following.says(/sent {2}\(Yes, in M\.\)/)
  type('Yes, in M.\n')
  await eventually(async () => /less than a minute ago/.test(following.stderr()))
  following.child.stdin?.end()
  assert.equal(await following.ended, 0)
})
