// Programs that speak with the agent server as their users start them: mcp-remote for clients that only start programs, the Inspector's command line,
// and the conformance suite of the protocol.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { childEnvironment } from '../../src/config.ts'
import { freePort } from '../../src/loopback.ts'
import { aPersonAtABrowser } from './person.ts'
import { aShop, forwarder, SETTINGS, type Shop } from './shop.ts'

const fileOf = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
const MCP_REMOTE = fileOf('mcp-remote/dist/proxy.js')
const INSPECTOR = fileOf('@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const CONFORMANCE = fileOf('@modelcontextprotocol/conformance/dist/index.js')
/** A program that hangs fails by its name. */
const PROGRAM_MAX_MS = 60_000

/** What the programs keep, and nothing of the person's own. */
const home = mkdtempSync(join(tmpdir(), 'clients-'))
after(() => rmSync(home, { recursive: true, force: true }))
// The browser is ours: `true` opens none on a developer's desktop.
const env = childEnvironment({
  HOME: home,
  MCP_REMOTE_CONFIG_DIR: home,
  BROWSER: 'true',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
  NODE_OPTIONS: '',
})
const person = await aPersonAtABrowser()
/** Where mcp-remote listens for the person's answer. The port of its own choice may be a connection's: it then listens on the next, and asks for the first. */
const callbackPort = await freePort()

interface Ended {
  code: number
  stdout: string
  /** Both streams. */
  output: string
}

/** @param heard given each line that it prints; awaited before the end */
async function run(file: string, args: string[], heard: (line: string) => Promise<void> | undefined = () => undefined): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], { env, cwd: home, timeout: PROGRAM_MAX_MS, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = { stdout: [] as string[], output: [] as string[] }
  const answers: (Promise<void> | undefined)[] = []
  for (const name of ['stdout', 'stderr'] as const)
    createInterface({ input: child[name] }).on('line', line => {
      if (name === 'stdout') lines.stdout.push(line)
      lines.output.push(line)
      answers.push(heard(line))
    })
  const [code] = (await once(child, 'close')) as [number | null]
  await Promise.all(answers)
  return { code: code ?? -1, stdout: lines.stdout.join('\n'), output: lines.output.join('\n') }
}

for (const [what, settings] of SETTINGS) {
  const shop = await aShop(settings)

  test(`mcp-remote, ${what}, hands on a key and every call`, async () => {
    const args = ['--header', `Authorization:Bearer ${shop.key}`]
    await callsThroughMcpRemote(shop, args, () => assert.fail('a person was asked'))
  })

  test(`mcp-remote, ${what}, asks a person, and does not when it is started again`, async () => {
    let asked = 0
    const ask = (address: string) => {
      asked++
      return person.allows(address)
    }
    await callsThroughMcpRemote(shop, [], ask)
    await callsThroughMcpRemote(shop, [], ask)
    assert.equal(asked, 1)
  })

  test(`the Inspector’s command line, ${what}, lists and calls`, async () => {
    const by = [
      '--cli',
      shop.url.href,
      '--transport',
      'http',
      '--connect-timeout',
      String(PROGRAM_MAX_MS),
      '--header',
      `Authorization: Bearer ${shop.key}`,
      '--format',
      'json',
    ]
    const listed = await run(INSPECTOR, [...by, '--method', 'tools/list', '--strict'])
    assert.equal(listed.code, 0, listed.output)
    assert.ok(JSON.parse(listed.stdout).result.tools.length >= 11, listed.stdout)
    const called = await run(INSPECTOR, [...by, '--method', 'tools/call', '--tool-name', 'get_orders', '--tool-arg', 'limit=5'])
    assert.equal(called.code, 0, called.output)
    assert.equal(JSON.parse(called.stdout).result.structuredContent.has_more, false, called.stdout)
  })

  test(`the conformance suite, ${what}, finds nothing wrong with the protocol`, async () => {
    // It takes no key.
    const open = await forwarder(shop.base, { headers: { authorization: `Bearer ${shop.key}` } })
    for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
      const { code, output } = await run(CONFORMANCE, ['server', '--url', `${open}/api/mcp`, '--scenario', scenario])
      assert.equal(code, 0, output)
      assert.match(output, /Passed: (\d+)\/\1, 0 failed, 0 warnings/)
    }
  })
}

async function callsThroughMcpRemote(shop: Shop, args: string[], ask: (address: string) => Promise<void> | void): Promise<void> {
  const command = [MCP_REMOTE, shop.url.href, String(callbackPort), '--auth-timeout', String(PROGRAM_MAX_MS / 1000), ...args]
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: command,
    env: env as Record<string, string>,
    stderr: 'pipe',
  })
  const said: string[] = []
  const asking: (Promise<void> | void)[] = []
  createInterface({ input: transport.stderr as Readable }).on('line', line => {
    said.push(line)
    if (/^https?:\/\/\S+\/oauth\/authorize\?/.test(line))
      asking.push(Promise.resolve(ask(line)).catch(error => void said.push(String(error))))
  })
  const client = new Client({ name: 'a test', version: '1.0.0' })
  try {
    await client.connect(transport, { timeout: PROGRAM_MAX_MS })
    const { tools } = await client.listTools()
    const calls = await shop.calls()
    for (const { name } of tools) {
      const result = await client.callTool({ name, arguments: calls[name] ?? assert.fail(name) })
      assert.ok(!result.isError, JSON.stringify(result))
    }
  } catch (error) {
    throw new Error(said.join('\n'), { cause: error })
  } finally {
    await Promise.all(asking)
    await client.close()
  }
}

test('the conformance suite finds nothing wrong with the authorization server', async () => {
  const shop = await aShop({}, 'https')
  const port = await freePort()
  const redirect_uri = `http://127.0.0.1:${port}/callback`
  const registration = { client_name: 'Conformance', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }
  const registered = await fetch(`${shop.base}/api/oauth/register`, {
    method: 'POST',
    body: JSON.stringify(registration),
    headers: { 'content-type': 'application/json' },
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const args = ['authorization', '--url', shop.base, '--client-id', client_id, '--resource', shop.url.href, '--port', String(port)]
  const { code, output } = await run(CONFORMANCE, args, line => {
    const [asked] = /https:\/\/\S+\/oauth\/authorize\?\S+/.exec(line) ?? []
    return asked === undefined ? undefined : person.allows(asked)
  })
  assert.equal(code, 0, output)
  assert.match(output, /Total: 3 passed, 0 failed/)
})
