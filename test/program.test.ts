// The bundle that bin/shopdesk makes of its sources and runs, and what it does where it cannot have one.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { childEnvironment } from '../src/config.ts'
import { testApp } from './support/app.ts'
import { settingsOf, shopdesk } from './support/shopdesk.ts'

const base = mkdtempSync(join(tmpdir(), 'program-test-'))
let clone = join(base, 'clone')
after(() => rmSync(base, { recursive: true, force: true }))
before(() => {
  for (const name of [
    'bin',
    'docs/apps',
    'examples',
    'patches',
    'src',
    'tasks',
    'package.json',
    'package-lock.json',
    'node_modules/.package-lock.json',
  ])
    cpSync(name, join(clone, name), { recursive: true })
  for (const name of readdirSync('node_modules').filter(each => each !== '.cache' && each !== '.package-lock.json'))
    symlinkSync(join(process.cwd(), 'node_modules', name), join(clone, 'node_modules', name))
})

/** In the clone. */
async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(join(clone, 'bin/shopdesk'), args, { env: childEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, ...said }
}

const bundles = () => join(clone, 'node_modules/.cache/program')
const made = (): string[] => (existsSync(bundles()) ? readdirSync(bundles()).filter(name => name.startsWith('command-')) : [])

function change(file: string, from: string, to: string): void {
  const text = readFileSync(join(clone, file), 'utf8')
  assert.ok(text.includes(from))
  writeFileSync(join(clone, file), text.replace(from, to))
}

test('many first starts at once make one bundle, and each answers from it', async () => {
  const starts = await Promise.all(Array.from({ length: 8 }, () => run(['--version'])))
  for (const each of starts) assert.deepEqual(each, { code: 0, stdout: '1.0.0\n', stderr: '' })
  assert.equal(made().length, 1)
})

test('what has changed shows at the next start, also where a copy has set its time back, and what runs keeps its bundle', async () => {
  await run(['--version'])
  const before = made()
  change('src/cli/program.ts', "'run one web process'", "'run the one web process'")
  utimesSync(join(clone, 'src/cli/program.ts'), new Date(0), new Date(0))
  assert.match((await run(['--help'])).stdout, /run the one web process/)
  assert.equal(made().length, before.length + 1)
  assert.deepEqual(
    before.filter(name => !existsSync(join(bundles(), name, 'command.mjs'))),
    [],
  )
  await run(['--help'])
  assert.equal(made().length, before.length + 1)
})

test('a clone that was moved runs what lies in its new place', async () => {
  await run(['--version'])
  const moved = join(base, 'moved')
  renameSync(clone, moved)
  clone = moved
  change('docs/apps/manifest.schema.json', '{', '{ ')
  const { code, stderr } = await run(['app', 'schema', '--check'])
  assert.equal(code, 1)
  assert.match(stderr, /^docs\/apps\/manifest\.schema\.json is not what /)
  change('docs/apps/manifest.schema.json', '{ ', '{')
  assert.equal((await run(['app', 'schema', '--check'])).code, 0)
})

test('sources of which no bundle can be made run as they are, which is told once', async () => {
  change(
    'src/doctor.ts',
    'export async function',
    "export const missing = () => import('./no-such-file.ts' as string)\nexport async function",
  )
  change('src/doctor.ts', "'./no-such-file.ts' as string", "'./no-such-file.ts'")
  const first = await run(['--version'])
  assert.deepEqual([first.code, first.stdout], [0, '1.0.0\n'])
  assert.match(first.stderr, /^Shopdesk runs from its sources, more slowly, for no bundle could be made of them: .*no-such-file\.ts.*\n$/)
  assert.deepEqual(await run(['--version']), { code: 0, stdout: '1.0.0\n', stderr: '' })
})

test('where nothing can be kept in node_modules, the sources run', async () => {
  rmSync(join(clone, 'node_modules/.cache'), { recursive: true })
  writeFileSync(join(clone, 'node_modules/.cache'), '')
  assert.deepEqual(await run(['--version']), { code: 0, stdout: '1.0.0\n', stderr: '' })
})

test('web and worker take no module of theirs from its source, which would be a second one beside that of the bundle', async () => {
  const app = await testApp()
  // Told at the end: which sources were loaded, and whether what takes types off was.
  const telling = `
    import { registerHooks } from 'node:module'
    const sources = []
    registerHooks({ load(url, context, next) { if (/\\.tsx?$/.test(url)) sources.push(url); return next(url, context) } })
    process.on('exit', () => console.log(JSON.stringify({ sources, strips: process.moduleLoadList.some(name => name.includes('deps/amaro')) })))`
  const env = { ...settingsOf(app), PORT: '0', NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(telling)}` }
  const [web, worker] = [shopdesk(['web'], env), shopdesk(['worker'], env)]
  await Promise.all([web.says(/listening on http/), worker.says(/worker is running/)])
  const [, address] = /listening on (\S+)/.exec(web.stdout()) ?? []
  for (const path of ['/docs', '/sign-in', '/chat.js', '/docs/start']) assert.equal((await fetch(`${address}${path}`)).status, 200, path)
  for (const each of [web, worker]) {
    assert.equal(await each.stop(), 0)
    assert.match(each.stdout(), /^\{"sources":\[\],"strips":false\}$/m)
  }
})

test('a stack names the sources', async () => {
  const failing = `console.log = () => { throw new TypeError('told') }`
  const { ended, stderr } = shopdesk(['app', 'schema', '--check'], {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(failing)}`,
  })
  assert.equal(await ended, 1)
  const [line = 0] = lineOf('src/cli/generated.ts', 'return console.log(same)')
  assert.match(stderr(), /^TypeError: told\n {4}at console\.log /)
  assert.ok(stderr().includes(`/src/cli/generated.ts:${line}`), stderr())
})

const lineOf = (file: string, text: string): number[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.includes(text) ? [index + 1] : []))
