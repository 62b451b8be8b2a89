// `npm run bench [name]`: each benchmark prints its figure beside the limit it is held against, measured in the same run on this machine.
import { create } from './create.ts'
import { openDataset } from './dataset.ts'
import { limiter } from './limiter.ts'
import { list } from './list.ts'
import { describeMachine } from './machine.ts'
import { memory } from './memory.ts'
import { read } from './read.ts'

const BENCHMARKS = {
  list: { measure: list, summary: 'a page of 50 orders of 1 M, against bare Fastify; and page 10 000 against page 1' },
  read: { measure: read, summary: 'one order by its id, against bare Fastify' },
  create: { measure: create, summary: 'an order placed, against its rows inserted by one statement without HTTP' },
  memory: { measure: memory, summary: 'resident memory of the web process under load' },
  limiter: { measure: limiter, summary: 'finding a key and taking a slot of its log, against finding it alone' },
}
type Name = keyof typeof BENCHMARKS

const [asked] = process.argv.slice(2)
if (asked === undefined || asked in BENCHMARKS) await run(asked === undefined ? (Object.keys(BENCHMARKS) as Name[]) : [asked as Name])
else listBenchmarks()

function listBenchmarks(): void {
  console.log('npm run bench          runs all of these, in this order')
  for (const [name, { summary }] of Object.entries(BENCHMARKS)) console.log(`npm run bench ${name.padEnd(8)} ${summary}`)
}

async function run(names: Name[]): Promise<void> {
  const dataset = await openDataset()
  try {
    console.log(await describeMachine(dataset.db.sql))
    for (const name of names) await BENCHMARKS[name].measure(dataset)
  } finally {
    await dataset.close()
  }
}
