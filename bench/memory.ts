// The memory of the web process, with all it started, while it lists and places orders as fast as it can.
import { median, verdict } from './compare.ts'
import { orderRequest, someWishes } from './create.ts'
import { clearPlaced, type Dataset } from './dataset.ts'
import { type Contender, httpLoad } from './load.ts'
import { get } from './request.ts'
import { type Server, startWeb } from './servers.ts'

const CONNECTIONS = 64
const LOAD_MS = 15_000
const SAMPLE_MS = 100
const LIMIT_MB = 200

export async function memory(dataset: Dataset): Promise<void> {
  await clearPlaced(dataset)
  const web = await startWeb(dataset)
  const wishes = await someWishes(dataset)
  console.log(`\nmemory: the web process under load, ${CONNECTIONS} connections, ${LOAD_MS / 1000} s each (under ${LIMIT_MB} MB resident)`)
  try {
    console.log(`  ${'started'.padEnd(34)} ${megabytes(web.resident())} MB`)
    await weigh(
      web,
      'GET /api/v1/orders',
      httpLoad(
        web.address,
        dataset.keys.map(key => get('/api/v1/orders', key)),
        CONNECTIONS,
      ),
    )
    await weigh(web, 'POST /api/v1/orders', httpLoad(web.address, wishes.map(orderRequest), CONNECTIONS))
  } finally {
    await web.stop()
  }
}

/** Prints the memory of a web process under a load. */
export async function weigh(web: Server, name: string, load: Contender, limitMb = LIMIT_MB): Promise<void> {
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(web.resident()), SAMPLE_MS)
  const { perSecond } = await load(LOAD_MS)
  clearInterval(sampling)
  const peak = Math.max(...samples)
  const rate = `at ${Math.round(perSecond).toLocaleString('en')}/s`
  console.log(
    `  ${name.padEnd(34)} ${megabytes(peak)} MB at most, median ${megabytes(median(samples)).trim()} MB, ${rate}: ${verdict(peak < limitMb * 1e6)}`,
  )
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0).padStart(7)
