// Calls of several processes, some of which die: the budget is exact, a key is asked once at a time, and what a killed process has begun is made once more.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newId } from '../../src/ids.ts'
import type { Called } from '../../src/skills/asking.ts'
import { testApp } from '../support/app.ts'
import { receiver } from '../support/outbound.ts'
import { startScript } from '../support/processes.ts'
import type { Question } from './caller-process.ts'
import { appWith, aSkill, aTurn } from './given.ts'

const app = await testApp()
const PROCESS = fileURLToPath(new URL('caller-process.ts', import.meta.url))

async function aCaller(t: { after(work: () => void): void }) {
  const child: ChildProcess = fork(PROCESS, [app.databaseUrl], { serialization: 'advanced' })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  const waiting = new Map<number, (called: Called) => void>()
  let asked = 0
  child.on('message', ({ number, called, error }: { number: number; called: Called; error?: string }) => {
    assert.equal(error, undefined)
    waiting.get(number)?.(called)
  })
  return {
    kill: () => child.kill('SIGKILL'),
    ask(questions: Omit<Question, 'number'>[]): Promise<Called>[] {
      const numbered = questions.map(each => ({ ...each, number: asked++ }))
      child.send(numbered)
      return numbered.map(({ number }) => new Promise(resolve => waiting.set(number, resolve)))
    },
  }
}

const doneOf = (all: Called[]): number => all.filter(each => 'output' in each).length

test('200 calls of one turn by two processes are eight of the app and three of a skill; the same key is asked once', async t => {
  const [one, other] = await Promise.all([aCaller(t), aCaller(t)])
  let held: ServerResponse | undefined
  const there = await receiver(t, (response, { body }) => {
    if (body.toString() === '{"held":true}') held = response
    else response.end('{}')
    if (held && there.received.length > 11) setTimeout(() => held?.end('{"points":1}'), 200)
  })
  const skills = ['a', 'b', 'c', 'd']
  const { base } = await appWith(
    t,
    app,
    skills.map(id => aSkill(there.origin, { id })),
  )
  const { signal: _signal, ...asked } = base
  const many = (turn: ReturnType<typeof aTurn>, from: number, of: string[]) =>
    Array.from({ length: 100 }, (_, n) => ({ ...asked, skill_id: of[n % of.length] as string, arguments: { n: from + n }, for: turn }))
  const turns = [aTurn(), aTurn()] as const
  const all = await Promise.all([...one.ask(many(turns[0], 0, skills)), ...other.ask(many(turns[0], 100, skills))])
  assert.equal(doneOf(all), 8)
  const ofOne = await Promise.all([...one.ask(many(turns[1], 0, ['a'])), ...other.ask(many(turns[1], 100, ['a']))])
  assert.equal(doneOf(ofOne), 3)
  assert.equal(there.received.length, 11)
  const same = { ...asked, arguments: { held: true }, for: aTurn() }
  const [mine, theirs] = await Promise.all([...one.ask([same]), ...other.ask([same])])
  assert.deepEqual(mine, theirs)
  assert.deepEqual(mine && 'output' in mine && mine.output, { points: 1 })
  assert.equal(there.received.length, 12)
})

test('what a killed process had asked is asked once more, with the same key and bytes, by whoever asks next', async t => {
  // Its elected process sees that others are gone.
  await app.startWorker()
  const [dying, other] = await Promise.all([aCaller(t), aCaller(t)])
  let answers = false
  const there = await receiver(t, response => {
    if (answers) response.end('{"points":1}')
  })
  const { base, shop, installed } = await appWith(t, app, [aSkill(there.origin)])
  const { signal: _signal, ...asked } = base
  const step = { run: newId('run'), step: 'award', revision: installed.revision, secrets: [] }
  const questions = [aTurn(), step].map(each => ({ ...asked, arguments: { points: 12 }, for: each }))
  void dying.ask(questions)
  await there.until(2)
  // They end with the process that has them, or not within this test.
  await app.sql`update skill_calls set lease_until = now() + interval '1 hour' where lease_token is not null`
  // While that process lives, its answer is waited for.
  const waiting = other.ask(questions)
  answers = true
  dying.kill()
  for (const called of await Promise.all(waiting)) assert.deepEqual('output' in called && called.output, { points: 1 })
  assert.equal(there.received.length, 4)
  const keys = there.received.map(({ headers }) => headers['idempotency-key'])
  assert.deepEqual(keys.slice(0, 2).sort(), keys.slice(2).sort())
  assert.equal(new Set(there.received.map(({ body }) => body.toString())).size, 1)
  const rows = await app.sql`select attempts from skill_calls where tenant_id = ${shop.id}`
  // The attempt that was lost repeats its number.
  assert.deepEqual(
    rows.map(({ attempts }) => attempts.map((each: { number: number }) => each.number)),
    [[1], [1]],
  )
})

test('a worker compiles what the first call of a skill needs before it is asked for one, and only where an app is installed', async t => {
  const { databaseUrl, ...own } = await testApp()
  const isReady = async (): Promise<unknown> => {
    const worker = await startScript(new URL('warm-process.ts', import.meta.url), [databaseUrl])
    assert.equal(await worker.ended, 0)
    return worker.ready
  }
  assert.equal(await isReady(), false)
  await appWith(t, { databaseUrl, ...own }, [aSkill('https://app.example')])
  assert.equal(await isReady(), true)
})
