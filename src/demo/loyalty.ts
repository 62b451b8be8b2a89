// The service of the loyalty example as a child of `start`: it ends with it, and says in the terminal what it gives.
import { dirname, join } from 'node:path'
import { argv } from 'node:process'
import type { FastifyRequest } from 'fastify'
import { loyaltyService } from '../../examples/loyalty/service.ts'
import { reportReady, runUntilSignal } from '../process.ts'
import { readMade } from './made.ts'

await serve(argv[2] as string).catch((error: Error) => {
  console.error(`The demo's loyalty service did not start: ${error.message}`)
  process.exitCode = 1
})

/** @param file of the demo workspace; what is given lies beside it */
async function serve(file: string): Promise<void> {
  const app = (await readMade(file))?.app
  if (!app) throw new Error(`${file} does not say how it is called.`)
  const service = loyaltyService(app.secret, join(dirname(file), 'demo-awards.jsonl'))
  service.addHook('onSend', async ({ url, body }: FastifyRequest, { statusCode }, answer) => {
    if (url === '/award' && statusCode === 200) console.log(`\n  ★ loyalty: ${given(body as { email: string }, String(answer))}`)
  })
  reportReady({ ready: await service.listen({ port: app.port, host: '127.0.0.1' }) })
  await runUntilSignal(() => service.close())
}

function given({ email }: { email: string }, answer: string): string {
  const { awarded, balance } = JSON.parse(answer) as { awarded: number; balance: number }
  return `${awarded} points for ${email}, ${balance} in all`
}
