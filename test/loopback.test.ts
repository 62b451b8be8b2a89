import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { freePort, listenOnLoopback } from '../src/loopback.ts'

const listening = (port: number) => listenOnLoopback(port, () => {})

suite('a free port', () => {
  test('lies below those that the system gives to connections, so that a server finds it free when it restarts', async () => {
    const port = await freePort(undefined, 9_000)
    assert.ok(port >= 1_024 && port < 9_000, String(port))
    const server = await listening(port)
    assert.notEqual(await freePort(port), port, 'one that is wanted but taken is another')
    await server.close()
    assert.equal(await freePort(port), port, 'one that is wanted and free is that one')
  })

  test('is any where the system does not say which it gives, or gives all of them, or none below is free', async () => {
    for (const below of [0, 1_024]) await (await listening(await freePort(undefined, below))).close()
    const last = await freePort(undefined, 1_025)
    const server = await listening(last)
    await (await listening(await freePort(undefined, 1_025))).close()
    await server.close()
  })
})
