// The service of the loyalty app: it keeps the points, in a file, and answers the two skills of loyalty.json.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { env } from 'node:process'
import Fastify, { type FastifyInstance } from 'fastify'
import { isSigned, once } from './verify.ts'

interface Award {
  key: string
  email: string
  awarded: number
  balance: number
}

/** @param secret of the app's credential, mode hmac @param file one line of JSON for each award; made when the first comes */
export function loyaltyService(secret: string, file: string): FastifyInstance {
  const awards = new Map<string, Award>()
  const balances = new Map<string, number>()
  for (const line of linesOf(file)) keep(JSON.parse(line))

  function keep(award: Award): void {
    awards.set(award.key, award)
    balances.set(award.email, award.balance)
  }

  const app = Fastify({ bodyLimit: 64 * 1024 })
  // The signature covers the bytes, so it is checked before they are read as JSON. No other type of body gets in.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('preValidation', async request => {
    if (!Buffer.isBuffer(request.body) || !isSigned(secret, request.headers, request.body))
      throw Object.assign(new Error('The signature, or its time, is wrong.'), { statusCode: 401 })
    request.body = JSON.parse(request.body.toString())
  })

  const email = { type: 'string', minLength: 1 }
  // A question. The same one asked again in a conversation comes under the same key, and wants today's answer: nothing is remembered of it.
  app.post<{ Body: { email: string } }>(
    '/balance',
    { schema: { body: { type: 'object', required: ['email'], properties: { email } } } },
    async ({ body }) => {
      const balance = balances.get(body.email.toLowerCase()) ?? 0
      return { balance, level: balance >= 2000 ? 'gold' : balance >= 500 ? 'silver' : 'member' }
    },
  )

  const whole = { type: 'integer', minimum: 0 }
  // A deed. It is in the file before it is answered, so that neither a repeat nor a crash gives points twice.
  app.post<{ Body: { email: string; points?: number; spent?: number } }>(
    '/award',
    { schema: { body: { type: 'object', required: ['email'], properties: { email, points: whole, spent: whole } } } },
    async ({ body, headers }) => {
      const { awarded, balance } = once(awards, headers, key => {
        const owner = body.email.toLowerCase()
        const points = body.points ?? Math.floor((body.spent ?? 0) / 100)
        const award = { key, email: owner, awarded: points, balance: (balances.get(owner) ?? 0) + points }
        appendFileSync(file, `\n${JSON.stringify(award)}`, { flush: true })
        keep(award)
        return award
      })
      return { awarded, balance }
    },
  )
  return app
}

// One that a crash has cut short was not answered: it comes again.
const linesOf = (file: string): string[] =>
  (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []).filter(line => line.endsWith('}'))

if (import.meta.main) {
  const { LOYALTY_SECRET, PORT = '8090', LOYALTY_FILE = 'awards.jsonl' } = env
  if (!LOYALTY_SECRET) throw new Error('LOYALTY_SECRET: set it to the secret of the app’s credential.')
  const address = await loyaltyService(LOYALTY_SECRET, LOYALTY_FILE).listen({ port: Number(PORT) })
  console.log(`The loyalty service answers at ${address}`)
}
