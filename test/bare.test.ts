// .ci/bare hides what lay on the machine before from the command that it runs, and otherwise leaves the command as it is.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { childEnvironment } from '../src/config.ts'

/** A clone in the folder for temporary files, with `shared` beside it, and a HOME there as well. */
const base = mkdtempSync('/tmp/bare-test-')
const clone = join(base, 'clone')
mkdirSync(clone)
cpSync('.ci', join(clone, '.ci'), { recursive: true })
for (const folder of ['shared', 'home']) mkdirSync(join(base, folder))
for (const file of ['shared/file', 'home/left-behind', 'home/.npmrc', 'left-behind']) writeFileSync(join(base, file), `# ${file}\n`)
const elsewhere = mkdtempSync('/var/tmp/bare-test-')
writeFileSync(join(elsewhere, 'left-behind'), '')
after(() => {
  for (const folder of [base, elsewhere]) rmSync(folder, { recursive: true, force: true })
})

const namespaces = {
  skip: spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status !== 0 && 'namespaces are not permitted',
}

function bare(script: string) {
  const env = childEnvironment({ HOME: join(base, 'home'), SHOPDESK_BARE: undefined, npm_config_userconfig: undefined })
  return spawn('bash', [join(clone, '.ci/bare'), 'sh', '-c', script], { cwd: base, env, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function outcome(script: string): Promise<{ lines: string[]; end: [number | null, NodeJS.Signals | null] }> {
  const child = bare(script)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', chunk => (output += chunk))
  const end = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { lines: output.trim().split('\n'), end }
}

test('HOME and the folder for temporary files hold nothing from before; the clone is in its place, and npm has its settings', async () => {
  const { lines } = await outcome(`
    ls -A "$HOME" "\${TMPDIR:-/tmp}" | grep left-behind
    pwd; echo made > made; cat "$npm_config_userconfig"; echo "$SHOPDESK_BARE"`)
  assert.deepEqual(lines, [clone, '# home/.npmrc', 'yes'])
  assert.equal(readFileSync(join(clone, 'made'), 'utf8'), 'made\n')
})

test(
  'in a mount namespace /tmp and /var/tmp hold nothing from before either, and what belongs to the clone is beside it',
  namespaces,
  async () => {
    const { lines } = await outcome(`find /tmp /var/tmp -name left-behind; cat ${join(base, 'shared/file')}`)
    assert.deepEqual(lines, ['# shared/file'])
  },
)

test('the exit code and the signal are those of the command', async () => {
  assert.deepEqual((await outcome('exit 7')).end, [7, null])
  const child = bare('echo ready; exec sleep 60')
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM'])
})
