// The plain design: a job for each step, in whose transaction the step's effect, its line in a log, the run's place and the next job are written; Graphile
// Worker's defaults but for ten jobs at once, as many as its pool has connections: its own default is one.
import { Logger, run } from 'graphile-worker'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { setReactions } from '../../src/reactions.ts'
import { EFFECTS, type Shop } from './shops.ts'

const [connectionString = ''] = process.argv.slice(2)
const { sql } = openDatabase(connectionString, { name: 'bench plain', lanes: 0, pool: 10 })
setReactions()

const runner = await run({
  connectionString,
  concurrency: 10,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: {
    plain: payload =>
      begin(sql, async tx => {
        const { id } = payload as { id: number }
        const [row] = await tx<{ shop: Shop; contact: string; blocked: boolean; place: number }[]>`
          select r.shop, r.contact, c.blocked, r.place
            from plain_runs r
            join contacts c on c.tenant_id = r.shop ->> 'tenant' and c.id = r.contact
           where r.id = ${id}
             for update of r`
        if (!row || row.blocked) return
        const startedAt = new Date()
        const effect = EFFECTS[row.place]
        await effect?.(tx, row.shop, row.contact)
        const isLast = row.place + 1 === EFFECTS.length
        await tx`insert into plain_steps (run, place, started_at, ended_at) values (${id}, ${row.place}, ${startedAt}, clock_timestamp())`
        await tx`
          update plain_runs set place = place + 1, started_at = coalesce(started_at, ${startedAt}), ended_at = case when ${isLast} then clock_timestamp() end
           where id = ${id}`
        if (!isLast) await tx`select graphile_worker.add_job('plain', json_build_object('id', ${id}::bigint))`
      }),
  },
})
process.on('SIGTERM', () => void runner.stop().then(() => process.exit()))
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
