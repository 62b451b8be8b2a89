// What most experiments run on: ten shops, whose webhooks one worker serves.
import type { Sql } from '../../src/postgres/sql.ts'
import type { Receivers } from './receivers.ts'
import { createWebhook, openStage, type Running, type Shop, type Stage, type Webhook } from './stage.ts'
import type { Finding } from './verdict.ts'

const SHOPS = 10

export interface Shops extends Stage {
  /** Of the web process. */
  origin: string
  worker: Running
  shops: Shop[]
  /** A webhook for each receiver, of the shops in turn. */
  subscribe(receivers: Receivers): Promise<Webhook[]>
}

/** Runs an experiment, and clears up after it. @param keys of each shop @param settings PostgreSQL's @param places in the worker, unless as usual */
export async function withShops<Result>(
  { keys, settings, places }: { keys: number; settings?: Record<string, string>; places?: number },
  experiment: (shops: Shops) => Promise<Result>,
): Promise<Result> {
  const stage = await openStage(settings)
  try {
    const [web, worker] = await Promise.all([
      stage.start('web'),
      stage.start('worker', places === undefined ? {} : { WORKER_CONCURRENCY: String(places) }),
    ])
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => stage.shop(keys)))
    const origin = String(web.ready)
    const subscribe = ({ urls }: Receivers) => Promise.all(urls.map((url, i) => createWebhook(origin, shops[i % SHOPS] as Shop, url)))
    return await experiment({ ...stage, origin, worker, shops, subscribe })
  } finally {
    await stage.close()
  }
}

/** What the queue held whenever it was looked at. */
export interface Queue {
  /** Jobs of deliveries. */
  jobs: number
  /** Of these, those whose endpoint had another. */
  doubled: number
}

export async function lookAtQueue(sql: Sql): Promise<Queue> {
  const [row] = await sql<Queue[]>`
    select count(*) as jobs, count(*) - count(distinct j.payload ->> 'endpointId') as doubled
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'webhooks/deliver'`
  return row as Queue
}

export function oneJobEach(looks: Queue[], endpoints: number): Finding {
  const [jobs, doubled] = [Math.max(...looks.map(look => look.jobs)), Math.max(...looks.map(look => look.doubled))]
  return {
    promise: 'the queue holds one job for a busy endpoint at most',
    figure: `at most ${jobs} of ${endpoints}, ${doubled} of them doubled, in ${looks.length} looks`,
    holds: jobs <= endpoints && doubled === 0,
  }
}
