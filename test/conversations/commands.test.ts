// `shopdesk conversation …`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { command, type Ended } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { nobody } from '../support/given.ts'
import { runTyped } from '../support/processes.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aTalk, type Talk } from '../support/talks.ts'

const app = await testApp()

const run = (talk: Talk, args: string[]): Promise<Ended> => command(['conversation', ...args, '--tenant', talk.shop.id], settingsOf(app))

test('answers, notes, closes, assigns, pauses and resumes, in words or JSON', async () => {
  const talk = await aTalk(app)
  const replied = await run(talk, ['reply', talk.id, 'Yes, in M.', '--json'])
  const message = JSON.parse(replied.stdout)
  assert.deepEqual([message.status, message.author.via, message.text], ['queued', 'cli', 'Yes, in M.'])
  assert.match((await run(talk, ['note', talk.id, 'A friend.'])).stdout, /a note: A friend\.$/m)
  assert.match((await run(talk, ['resume', talk.id])).stdout, /assistant on/)
  assert.match((await run(talk, ['close', talk.id])).stdout, /closed/)
  const { stderr, code } = await run(talk, ['assign', talk.id, nobody('usr')])
  assert.deepEqual([code, /^<user> names no user of this workspace\.$/m.test(stderr)], [1, true], stderr)
  assert.match((await run(talk, ['reply', talk.id, ''])).stderr, /^<text> is ""; it must not be empty\.$/m)
  assert.match((await run(talk, ['tag', talk.id, 'sizes, blue'])).stdout, /tagged sizes, blue$/m)
  // As where a script's variable is not set: no tag is lost by that.
  assert.match((await run(talk, ['tag', talk.id, ''])).stderr, /^<tags> holds ""; it must not be empty\.$/m)
  assert.match((await run(talk, ['list', '--assigned-to', 'me'])).stderr, /^--assigned-to cannot be me where the caller is no user/m)
  assert.deepEqual(await talk.texts(), ['Hello?', 'Yes, in M.', 'A friend.'])
  await talk.tells([{ kind: 'reaction', thread: talk.thread, at: null, our_id: message.id, emoji: '👍', by: 'customer' }])
  // In a process of its own, for it writes as a terminal does.
  const shown = shopdesk(['conversation', 'show', talk.id, '--tenant', talk.shop.id], settingsOf(app))
  assert.equal(await shown.ended, 0, shown.stderr())
  assert.match(shown.stdout(), /Hello\?[\s\S]*Yes, in M\. {2}\(queued\) {2}👍[\s\S]*A friend/)
  assert.match((await run(talk, ['list', '--status', 'closed', '--unread', 'false'])).stdout, new RegExp(talk.id))
  await talk.echo(null)
  assert.match((await run(talk, ['list'])).stdout, /\[without text\]/)
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
