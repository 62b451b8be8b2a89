// `npm run check` checks the packages that the service ships with: their licences, and the vulnerabilities that npm knows.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'

interface Outcome {
  code: number
  output: string
}

function run(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise(resolve => {
    execFile(process.execPath, [script, ...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

suite('licences', () => {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const licencesOf = (packages: Record<string, unknown>): Promise<Outcome> => {
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }))
    return run('.ci/licences.ts', [folder])
  }

  test('of the packages that ship are all permissive', async () => {
    const { code, output } = await run('.ci/licences.ts')
    assert.equal(code, 0, output)
    assert.match(output, /^The licences of \d+ production packages/)
  })

  test('copyleft, unknown and missing ones fail by name; those of packages that do not ship are not asked for', async () => {
    mkdirSync(join(folder, 'node_modules/said'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/said/package.json'), '{"license":"ISC"}')
    const { code, output } = await licencesOf({
      'node_modules/fine': { license: 'MIT' },
      'node_modules/either': { license: '(GPL-3.0-only OR MIT)' },
      'node_modules/said': {},
      'node_modules/tool': { license: 'GPL-3.0-only', dev: true },
      'node_modules/@a/copyleft': { license: 'AGPL-3.0-only' },
      'node_modules/fine/node_modules/both': { license: 'MIT AND LGPL-2.1-only' },
      'node_modules/odd': { license: 'SEE LICENSE IN LICENSE.md' },
      'node_modules/none': {},
    })
    assert.equal(code, 1)
    const named = output
      .trim()
      .split('\n')
      .map(line => line.split(' ')[0])
    assert.deepEqual(named, ['@a/copyleft', 'both', 'odd', 'none'])
  })
})

suite('vulnerabilities', () => {
  // npm caches its answers about vulnerabilities.
  const cache = mkdtempSync(join(tmpdir(), 'audit-'))
  after(() => rmSync(cache, { recursive: true, force: true }))
  const audit = (registry: string): Promise<Outcome> => run('.ci/audit.ts', [], { npm_config_registry: registry, npm_config_cache: cache })

  /** npm itself asks this test's registry. */
  async function auditedBy(respond: RequestListener): Promise<Outcome> {
    const registry = createServer(respond).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    try {
      return await audit(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/`)
    } finally {
      registry.close()
    }
  }

  /** Advisories on the one package of the registry. */
  const knowing =
    (severity: string): RequestListener =>
    ({ method }, response) => {
      const advisory = { id: severity, url: 'https://advisories.example/1', title: 'All is lost', severity, vulnerable_versions: '*' }
      const version = { name: 'fastify', version: '5.0.0' }
      const page = { name: 'fastify', 'dist-tags': { latest: '5.0.0' }, versions: { '5.0.0': version } }
      const body = method === 'POST' ? { fastify: [advisory] } : page
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }

  test('of a grave kind fail, with the package, its versions and where to read more', async () => {
    for (const severity of ['high', 'critical']) {
      const { code, output } = await auditedBy(knowing(severity))
      assert.equal(code, 1, output)
      assert.match(output, new RegExp(`^fastify \\*: ${severity}; All is lost, https://advisories.example/1$`, 'm'))
    }
  })

  test('of a lesser kind do not fail', async () => {
    const { code, output } = await auditedBy(knowing('moderate'))
    assert.equal(code, 0, output)
    assert.match(output, /^npm audit knows of no grave vulnerability/)
  })

  test('a registry without such a service, or none at all, is a warning', async () => {
    const without = await auditedBy((_, response) => response.writeHead(405).end())
    const gone = await audit('http://127.0.0.1:1/')
    assert.deepEqual([without.code, gone.code], [0, 0])
    assert.match(without.output, /^WARNING: npm audit could not be asked.*\(the registry answered 405\)/)
    assert.match(gone.output, /^WARNING: npm audit could not be asked/)
  })
})
