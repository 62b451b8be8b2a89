// A step that acts here: its effect, its line in the log and the run's place commit together.
import { now } from '../../clock.ts'
import { beginWithLast, type Sql } from '../../postgres/sql.ts'
import { attempt, Problem } from '../../problems.ts'
import { kindOf, type Local } from '../steps/kinds.ts'
import { after, fail, lineOf, movedTo } from './moving.ts'
import { remember } from './outputs.ts'
import { failureOf, type Stepping } from './stepping.ts'
import * as store from './store.ts'

/** @returns whether the run goes on */
export async function act(sql: Sql, stepping: Stepping, local: Local, startedAt: Date): Promise<boolean> {
  const { run, around } = stepping
  const kind = kindOf(local)
  const input = attempt(() => kind.render(local, around))
  stepping.rendered()
  const line: store.StepLine = { ...lineOf(stepping, local.id, startedAt), state: 'failed' }
  if (input instanceof Problem) return fail(sql, stepping, local, failureOf(input), line)
  line.input = JSON.stringify(input)
  const done = await beginWithLast(sql, async (tx, sent) => {
    const { output, message } = await kind.act({ ...stepping, tx }, input)
    const at = new Date(now())
    const [to, json] = [after(stepping, startedAt), JSON.stringify(output)]
    await store.move(tx, run, to, { ...line, state: 'succeeded', output: json, message, endedAt: at }, at, sent)
    return { output, json, to }
  }).catch(error => {
    if (error instanceof Problem) return error
    throw error
  })
  if (done instanceof Problem) return fail(sql, stepping, local, failureOf(done), line)
  remember(stepping, local.id, { output: done.output }, done.json)
  return movedTo(run, done.to)
}
