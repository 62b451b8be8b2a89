// bin/install.mjs, and the driver's patch: it is applied without npm's install scripts, applied anew when it changes, and required by all that connects.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, afterEach, beforeEach, test } from 'node:test'
import { applyPatch, parsePatch, reversePatch } from 'diff'
import { childEnvironment } from '../src/config.ts'

const PATCH = 'patches/postgres+3.4.9.patch'
const DRIVER = 'node_modules/postgres'
const REFUSAL = 'The database driver lacks the fixes of patches/, so nothing was started; run: npm ci && node bin/install.mjs\n'

// Copied once, which takes half a second of the processor; a test gets it from the one before it.
const sourceFolder = mkdtempSync(join(tmpdir(), 'install-test-src-'))
cpSync('src', join(sourceFolder, 'src'), { recursive: true })
after(() => rmSync(sourceFolder, { recursive: true, force: true }))

let clone: string
beforeEach(() => {
  clone = cloneWithoutPatch()
})
afterEach(() => {
  renameSync(join(clone, 'src'), join(sourceFolder, 'src'))
  rmSync(clone, { recursive: true, force: true })
})

test('the patch is applied to what npm installed, without npm, and once', () => {
  assert.deepEqual(install(), { code: 0, output: `Applied ${PATCH}.\n` })
  assert.deepEqual(sources(clone), sources('.'))
  assert.deepEqual(install(), { code: 0, output: '' })
  assert.equal(installations(), 0)
})

test('a changed patch counts as not installed: the next start replaces the patch before it', () => {
  install()
  changePatch(text => text.replaceAll('+    query = null\n', '+    query = undefined\n'))
  const { code, output } = run(join(clone, 'bin/shopdesk'), ['--help'])
  assert.equal(code, 0, output)
  assert.ok(output.startsWith('Usage: shopdesk') && output.endsWith(`Applied ${PATCH}.\n`), output)
  assert.match(read(`${DRIVER}/src/connection.js`), /^ {4}query = undefined$/m)
  assert.doesNotMatch(read(`${DRIVER}/src/connection.js`), /^ {4}query = null$/m)
  assert.equal(installations(), 0)
})

test('a driver that the patch does not fit, since it was changed by hand or half patched, is installed anew', () => {
  writeFileSync(join(clone, DRIVER, 'src/connection.js'), '// changed\n')
  assert.equal(install().code, 0)
  assert.deepEqual(sources(clone), sources('.'))
  rmSync(join(clone, DRIVER, 'applied.patch'))
  assert.equal(install().code, 0)
  assert.deepEqual(sources(clone), sources('.'))
  assert.equal(installations(), 2)
})

test('a patch that is for another version of the driver is refused in one line', () => {
  changePatch(() => undefined, 'patches/postgres+9.9.9.patch')
  const { code, output } = install()
  assert.equal(code, 1)
  assert.match(output, /\npatches\/postgres\+9\.9\.9\.patch is not for postgres 3\.4\.9, which package-lock\.json names; .*\n$/)
})

test('all that opens connections refuses a driver without its patch, in one line that says what to do', () => {
  const openings = [
    [join(clone, 'src/cli/cli.ts'), 'doctor'],
    ['-e', `import(${JSON.stringify(join(clone, 'src/postgres/sql.ts'))}).then(({ openDatabase }) => openDatabase('postgres://nowhere'))`],
  ]
  for (const args of openings) assert.deepEqual(run(process.execPath, args), { code: 1, output: REFUSAL })
  install()
  assert.doesNotMatch(run(process.execPath, [join(clone, 'src/cli/cli.ts'), '--help']).output, /lacks/)
})

/** A folder as `npm ci --ignore-scripts` leaves it. The test made its packages, except for the driver, which is a copy without its patch. */
function cloneWithoutPatch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'install-test-'))
  renameSync(join(sourceFolder, 'src'), join(folder, 'src'))
  for (const name of ['bin', 'patches', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'])
    cpSync(name, join(folder, name), { recursive: true })
  for (const name of readdirSync('node_modules')) {
    const here = join(folder, 'node_modules', name)
    if (!existsSync(here) && !['.cache', 'postgres'].includes(name)) symlinkSync(join(process.cwd(), 'node_modules', name), here)
  }
  cpSync(DRIVER, join(folder, DRIVER), { recursive: true })
  for (const change of reversePatch(parsePatch(readFileSync(PATCH, 'utf8')))) {
    const path = join(folder, String(change.newFileName).replace(/^[ab]\//, ''))
    writeFileSync(path, String(applyPatch(readFileSync(path, 'utf8'), change)))
  }
  rmSync(join(folder, DRIVER, 'applied.patch'))
  // No folder for bundles can be made, which takes longer than all else: see program.test.ts.
  writeFileSync(join(folder, 'node_modules/.cache'), '')
  // A stand-in for npm: it records the call, and installs the driver as it is in the registry.
  cpSync(join(folder, DRIVER), join(folder, 'registry/postgres'), { recursive: true })
  mkdirSync(join(folder, 'npm'))
  writeFileSync(
    join(folder, 'npm/npm'),
    `#!/bin/sh\ncd '${folder}' && echo "$1" >>npm/calls && rm -r ${DRIVER} && cp -r registry/postgres node_modules/\n`,
  )
  chmodSync(join(folder, 'npm/npm'), 0o755)
  return folder
}

function run(command: string, args: string[]): { code: number | null; output: string } {
  const env = childEnvironment({ PATH: [join(clone, 'npm'), process.env['PATH']].join(delimiter) })
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone, env, encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}

const install = () => run(process.execPath, ['bin/install.mjs'])

/** How often npm was called. */
const installations = (): number => (existsSync(join(clone, 'npm/calls')) ? read('npm/calls').trim().split('\n').length : 0)

const read = (path: string): string => readFileSync(join(clone, path), 'utf8')

const sources = (folder: string): string[] =>
  ['src/connection.js', 'src/index.js', 'types/index.d.ts', 'applied.patch'].map(path => readFileSync(join(folder, DRIVER, path), 'utf8'))

function changePatch(change: (text: string) => string | undefined, file = PATCH): void {
  const text = read(PATCH)
  rmSync(join(clone, PATCH))
  writeFileSync(join(clone, file), change(text) ?? text)
}
