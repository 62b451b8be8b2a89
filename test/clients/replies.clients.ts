// Ten thousand agents that say the same at once, over many keys and two web processes: the customer reads it once. It takes some twenty seconds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWeb } from '../../src/web.ts'
import { agentWith, anAgent } from '../support/agent.ts'
import { testApp } from '../support/app.ts'
import { aTalk } from '../support/talks.ts'

/** The 120 writes that a key has in a minute are sent as four batches, two to each process. */
const [KEYS, BATCH] = [84, 30]

test('ten thousand equal replies at once send one message', async () => {
  const app = await testApp()
  const { id: conversation_id, shop } = await aTalk(app)
  const second = await startWeb({ config: { ...app.config, port: 0 }, databaseUrl: app.databaseUrl, keyring: app.keyring })
  const keys = await Promise.all(Array.from({ length: KEYS }, () => anAgent(app, shop.id)))
  const agents = keys.flatMap(each => [each, agentWith(second.address, each.key)]).flatMap(each => [each, each])
  const params = { name: 'reply_to_conversation', arguments: { conversation_id, message: 'Once!' } }
  const body = Array.from({ length: BATCH }, (_, id) => ({ jsonrpc: '2.0', method: 'tools/call', id, params }))
  const began = performance.now()
  const replies = await Promise.all(agents.map(each => each.ask({ body })))
  await second.close()
  const codes = replies.flatMap(reply => reply.body.map(codeOf))
  // The same may be said again a minute later, should this machine need so long for all of them.
  const most = 1 + Math.floor((performance.now() - began) / 60_000)
  const sent = codes.filter(code => code === undefined).length
  assert.ok(sent >= 1 && sent <= most, `${sent} were sent`)
  assert.equal(codes.length, KEYS * 120)
  // A machine with much else to do may let a few wait for the conversation's lock until they are told to come again.
  const unanswered = codes.filter(code => code === 'service_unavailable').length
  assert.ok(unanswered < codes.length / 100, `${unanswered} were told to try again`)
  assert.equal(codes.filter(code => code === 'duplicate_message').length, codes.length - sent - unanswered)
  const messages = await app.sql`select 1 from messages where tenant_id = ${shop.id} and doc::jsonb->>'text' = 'Once!'`
  const sends = await app.sql`select 1 from channel_sends where tenant_id = ${shop.id}`
  assert.deepEqual([messages.length, sends.length], [sent, sent])
})

const codeOf = ({ result }: { result: { structuredContent: { error?: { code: string } } } }) => result.structuredContent.error?.code
