// Commands that start the embedded database for the moment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { childEnvironment } from '../../src/config.ts'

const MODULE = new URL('../../src/cli/command.ts', import.meta.url).href
const base = mkdtempSync(join(tmpdir(), 'shopdesk-command-test-'))
// Root's database runs as another user, who must get in: else its files go elsewhere, and stay there.
chmodSync(base, 0o711)
after(() => rmSync(base, { recursive: true, force: true }))

test('Ctrl-C in the middle of a command leaves no database behind', async () => {
  const script = `const { withCommandContext } = await import('${MODULE}')
    await withCommandContext(() => { console.log('begun'); return new Promise(resolve => setTimeout(resolve, 60_000)) })`
  const env = childEnvironment({ DATABASE_URL: undefined, DATA_DIR: base })
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  assert.match(String(await once(child.stdout, 'data')), /begun/)
  const pidFile = join(base, 'postgres/data/postmaster.pid')
  assert.ok(existsSync(pidFile))
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGINT'])
  assert.ok(!existsSync(pidFile))
})
