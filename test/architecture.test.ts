// The shape of the code (see README, "Where does a new thing go?"): which way imports go, and what lives in one place only.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { GROUP_MAX, groupsOf } from './support/groups.ts'

const files = globSync(['src/**/*.{ts,tsx}', 'tasks/**/*.ts'])
const source = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))
// Comments are left out. Imports of types count, although they bind nothing at run time; so do those of what is loaded when it is first asked for.
const code = new Map([...source].map(([file, text]) => [file, text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g, '')]))

const PLUMBING = ['ingress', 'postgres', 'outbound', 'cli', 'queue']
const ROOT_BASE = [
  'caller',
  'config',
  'setting',
  'errors',
  'problems',
  'secrets',
  'ids',
  'clock',
  'schemas',
  'json',
  'loopback',
  'memoize',
  'nearest',
  'blank',
  'currency',
  'language-tag',
  'ticker',
  'pace',
  'rate',
  'retry',
  'places',
  'turns',
  'fair-queue',
]
// src/limits/ has a file for each noun: settings, plumbing and nouns alike read from it.
const BASE_FOLDERS = ['limits']
const PROCESSES = ['process', 'supervise', 'secret-key']

const imports = new Map(
  [...source].map(([file, text]) => [
    file,
    [...text.matchAll(/(?:from |import |\bimport\()'(\.[^']+)'/g)].map(([, path]) => normalize(join(dirname(file), path as string))),
  ]),
)

// Of an import that names its file in another way, bin/direct.mjs would make another path than Node.
test('imports name their file whole, from where they stand', () => {
  const all = [...files, ...globSync(['test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts'])].map(
    file => [file, readFileSync(file, 'utf8')] as const,
  )
  for (const [file, text] of all)
    for (const [, path = ''] of text.matchAll(/(?:from |^import |\bimport\()'(\.[^']*\.ts)'/gm))
      assert.match(path, /^(?:\.\/|(?:\.\.\/)+)[\w-][\w./-]*\.ts$/, file)
})

type Layer = 'base' | 'plumbing' | 'noun' | 'catalog' | 'edge' | 'task'
const HEIGHT: Record<Layer, number> = { base: 0, plumbing: 1, noun: 2, catalog: 3, edge: 4, task: 3 }

function layer(file: string): Layer {
  if (file.startsWith('tasks/')) return 'task'
  const [, folder = '', inner] = file.split('/')
  if (['src/cli/cli.ts', 'src/cli/program.ts', 'src/cli/nouns.ts'].includes(file)) return 'edge'
  if (BASE_FOLDERS.includes(folder)) return 'base'
  if (folder === 'demo') return 'edge'
  if (inner !== undefined) return PLUMBING.includes(folder) ? 'plumbing' : 'noun'
  const name = folder.replace(/\.tsx?$/, '')
  if (ROOT_BASE.includes(name)) return 'base'
  if (PROCESSES.includes(name)) return 'plumbing'
  return ['catalog', 'reactions'].includes(name) ? 'catalog' : 'edge'
}

const noun = (file: string): string => file.split('/')[1] as string

test('imports go down: edge → catalog → nouns → plumbing → base', () => {
  for (const [file, targets] of imports) {
    for (const target of targets) assert.ok(HEIGHT[layer(target)] <= HEIGHT[layer(file)], `${file} imports ${target}, which lies above it`)
  }
})

test('plumbing knows no noun, and tasks know nouns and the queue alone', () => {
  for (const [file, targets] of imports) {
    if (layer(file) === 'plumbing')
      assert.deepEqual(
        targets.filter(target => layer(target) === 'noun'),
        [],
        `${file} knows a noun`,
      )
    if (layer(file) === 'task')
      assert.deepEqual(
        targets.filter(target => layer(target) !== 'noun' && !target.startsWith('src/queue/')),
        [],
        `${file} knows more than nouns and the queue`,
      )
  }
})

test('nouns reach each other through verbs, never through another noun’s statements', () => {
  for (const [file, targets] of imports) {
    if (layer(file) !== 'noun') continue
    const foreign = targets.filter(target => layer(target) === 'noun' && noun(target) !== noun(file) && /store\.ts$/.test(target))
    assert.deepEqual(foreign, [], `${file} reaches into another noun's store`)
  }
})

// The rooms of a folder, lowest first: a room imports rooms of earlier lines alone. '' stands for the files beside the rooms.
const ROOMS: Record<string, string[][]> = {
  apps: [['manifest'], ['']],
  builder: [['sandbox', 'generate'], ['']],
  flows: [['language', 'waking'], ['steps'], ['matching', 'running'], ['']],
  webhooks: [['endpoints'], ['delivery'], ['log'], ['recovery', 'catch-up'], ['']],
  ingress: [['connections'], [''], ['page'], ['openapi', 'mcp']],
  imports: [['file'], ['']],
  payments: [['reading'], ['providers'], ['ledger'], ['']],
  // The widget runs in browsers: it knows the shapes alone.
  chat: [[''], ['widget']],
  channels: [['platforms'], ['accounts'], ['sending', 'receiving'], ['']],
}

test('rooms of a folder import in one order', () => {
  for (const [name, order] of Object.entries(ROOMS)) {
    // A folder in a room is a part of it: platforms/telegram/ of platforms/.
    const roomOf = (file: string) => (file.startsWith(`src/${name}/`) ? file.split('/').slice(2, -1).slice(0, 1).join('/') : undefined)
    const heightOf = (room: string) => order.findIndex(line => line.includes(room))
    for (const [file, targets] of imports) {
      const room = roomOf(file)
      if (room === undefined) continue
      assert.notEqual(heightOf(room), -1, `${file}: its room has no place in the order`)
      for (const target of targets) {
        const other = roomOf(target)
        if (other === undefined || other === room) continue
        assert.ok(heightOf(other) < heightOf(room), `${file} imports ${target}, whose room does not come before its own`)
      }
    }
  }
})

// Tests themselves may run a benchmark or an experiment in a short form.
test('benchmarks use the support of tests, and never the reverse', () => {
  const support = globSync('test/support/**/*.ts')
  assert.ok(support.length > 0)
  for (const file of support) assert.doesNotMatch(readFileSync(file, 'utf8'), /from '[^']*\/bench\//, `${file} imports a benchmark`)
})

test('web and commands load neither pages nor what renders them before somebody asks for one', () => {
  // Without those of types alone, which bind nothing, and those that are loaded when something is asked for.
  const loadedBy = (file: string): string[] =>
    [...(code.get(file) ?? '').matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm)].map(([, path = '']) =>
      path.startsWith('.') ? normalize(join(dirname(file), path)) : path,
    )
  const loaded = new Set(['src/cli/cli.ts', 'src/web.ts'])
  for (const file of loaded) for (const each of loadedBy(file)) loaded.add(each)
  assert.ok(loaded.has('src/ingress/page/routes.ts') && loaded.has('fastify'), 'nothing is followed')
  assert.deepEqual(
    [...loaded].filter(each => each.endsWith('.tsx') || /^(preact|esbuild|@modelcontextprotocol)/.test(each)),
    [],
  )
})

// Importing a module of Node reads each of its names, and one of node:http's loads Node's own fetch: 8 MB, and a tenth of a second of each command.
test('node:http is taken without an import, which would load a second HTTP client', () => {
  const importing = [...code].filter(([, text]) => /^import(?! type\b)[^;']*'(?:node:)?http'/m.test(text)).map(([file]) => file)
  assert.deepEqual(importing, [], "take it by process.getBuiltinModule('node:http')")
})

test('there are no cycles', () => {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `a cycle: ${[...path, file].join(' → ')}`)
    if (done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
})

function onlyIn(what: RegExp, allowed: RegExp, name: string): void {
  const strays = [...code].filter(([file, text]) => what.test(text) && !allowed.test(file)).map(([file]) => file)
  assert.deepEqual(strays, [], `${name} belongs elsewhere`)
}

test('SQL lives in store.ts files, in postgres/ and in queue/', () => {
  onlyIn(
    /`\s*(select|insert into|update|delete from|with) /i,
    /^src\/(postgres\/|queue\/|[a-z]+\/([a-z-]+\/)?([a-z-]+-)?store\.ts$)/,
    'SQL',
  )
})

test('the network is left through outbound/ alone', () => {
  onlyIn(
    /'undici['/]|\bfetch\(|from 'node:(http2|https|tls)'/,
    /^src\/(outbound\/|ingress\/page\/assets\/|chat\/widget\/)/,
    'an outbound client',
  )
})

test('the database driver is imported through postgres/driver.ts, which refuses one without its patch', () => {
  onlyIn(/^import (?!type ).*from 'postgres'$/m, /^src\/postgres\/driver\.ts$/, 'an import of the driver')
})

test('connections to the database are opened in two files, which give each its time limits', () => {
  onlyIn(/^import (?!type ).*from 'pg'$/m, /^src\/postgres\/connect-pg\.ts$/, 'an import of pg')
  // Fragments are composed by a client that never connects.
  onlyIn(/(?<!\^)\bpostgres\((?!\{ max: 1 \}\))/, /^src\/postgres\/connect\.ts$/, 'an opened connection')
})

test('this machine’s clock, which may be off or set, is read where it is meant alone: elsewhere now() is the time, and performance.now() tells how long something takes', () =>
  onlyIn(
    /\bDate\.now\(/,
    /^src\/(postgres\/keep-time|doctor|outbound\/authorities|webhooks\/listen|skills\/commands|chat\/widget\/.*)\.ts$/,
    'Date.now()',
  ))

test('settings are read in config.ts alone', () => onlyIn(/process\.env/, /^src\/config\.ts$/, 'process.env'))

test('jobs are added by queue/jobs.ts, and the runner’s tables are read in queue/ alone', () => {
  onlyIn(/graphile_worker\.add_job/, /^src\/queue\/jobs\.ts$/, 'adding a job')
  onlyIn(/graphile_worker\._private/, /^src\/queue\//, 'a table of the runner')
})

test('a transaction is opened through begin, which runs what waits for the commit', () => {
  onlyIn(/\bsql\.begin\(/, /^src\/postgres\//, 'sql.begin')
})

/** They start a server of their own. */
const ALONE_ON_A_SERVER = ['test/start.test.ts', 'test/postgres/embedded.test.ts']

test('tests ask for sessions and locks of their own database, for PostgreSQL shows those of all tests that run beside them', () => {
  for (const file of globSync('test/**/*.ts').filter(each => !ALONE_ON_A_SERVER.includes(each)))
    for (const [statement] of readFileSync(file, 'utf8').matchAll(/`[^`]*\bpg_(locks|stat_activity)\b[^`]*`/g))
      assert.match(statement, /current_database\(\)|\bdatname = |\bpid (=|in) /, file)
})

test('task files stay thin', () => {
  for (const [file, text] of source) {
    if (layer(file) === 'task') assert.ok(text.split('\n').length <= 25, `${file} holds logic`)
  }
})

/** Each request of a delivery makes one, and a library calls its methods: closures for each cost more when measured. */
const HANDLERS = new Set(['src/outbound/exchange.ts', 'src/outbound/receiving.ts'])

test('there are no classes but errors, and the handler of a request', () => {
  for (const [file, text] of code) {
    if (HANDLERS.has(file)) continue
    for (const [, name, parent] of text.matchAll(/\bclass (\w+)(?: extends (\w+))?/g))
      assert.equal(parent, 'Error', `${file}: class ${name}`)
  }
})

test('migrations are numbered without a gap, and each opens with why', () => {
  const names = globSync('sql/*.sql')
    .map(path => path.slice(4))
    .sort()
  names.forEach((name, index) => {
    assert.equal(Number(name.slice(0, 4)), index + 1, `${name}: a gap or a double number`)
    assert.match(readFileSync(`sql/${name}`, 'utf8'), /^-- \S/, `${name} does not open with why`)
  })
})

test('where a function of the database is said to be, is its last definition', () => {
  const last = new Map(
    globSync('sql/*.sql')
      .sort()
      .flatMap(file =>
        [...readFileSync(file, 'utf8').matchAll(/^create (?:or replace )?function (\w+)/gm)].map(([, name]) => [name, file]),
      ),
  )
  const named = new RegExp(`\\b(${[...last.keys()].join('|')})\\b[^.;|]{0,60}(sql/\\w+\\.sql)`, 'g')
  for (const [file, text] of [...source, ['README.md', readFileSync('README.md', 'utf8')] as const])
    for (const [, name, where] of text.matchAll(named)) assert.equal(where, last.get(name), `${name} in ${file}`)
})

test('every tenant’s table has tenant_id first in its primary key and in its foreign keys', () => {
  // The limiter's rings are keyed by the key's own number; the rest belong to no tenant.
  const shared = [
    'migrations',
    'plans',
    'tenants',
    'worker_pools',
    'worker_processes',
    'skill_callers_gone',
    'begun_work',
    'rate_rings',
    'rate_chunks',
    'notices',
    'used_forms',
    'oauth_clients',
    'event_epoch',
    // People have one account for all their workspaces.
    'users',
    'attempt_windows',
    'sessions',
    'known_addresses',
    'password_resets',
  ]
  const tables = readFileSync('sql/schema.txt', 'utf8').split(/\n(?=\w+ table)/)
  for (const table of tables) {
    const name = /^(\w+) table/.exec(table)?.[1]
    if (name === undefined || shared.includes(name)) continue
    assert.match(table, /PRIMARY KEY \(tenant_id[,)]/, `${name}: its primary key`)
    for (const [, columns] of table.matchAll(/FOREIGN KEY \(([^)]+)\)/g))
      assert.match(
        columns as string,
        name === 'memberships' ? /^(tenant_id|user_id)$/ : /^tenant_id\b/,
        `${name}: a foreign key (${columns})`,
      )
  }
})

test('every file that declares tests, or is called so, is run by one of the two commands', () => {
  const isOthers = (path: string): boolean => /(^|\/)(node_modules|\.[^/]+)$/.test(path)
  const all = globSync('**/*.{ts,tsx,mts,mjs,js}', { exclude: isOthers })
  const run = [...groupsOf([]).flat(), ...globSync('test/clients/*.clients.ts')]
  const declares = /^import (?:\w+, )?\{[^}]*\b(?:test|it|suite|describe)\b[^}]*\} from 'node:test'$/m
  const strays = all.filter(
    file => !run.includes(file) && (/[._](tests?|spec)\.\w+$/.test(file) || declares.test(readFileSync(file, 'utf8'))),
  )
  // It makes a test of each file.
  assert.deepEqual(strays, ['test/support/together.ts'])
})

test('every file of tests is run once, in a group of few; one that is named alone, by itself', () => {
  const groups = groupsOf([])
  assert.deepEqual(groups.flat().sort(), globSync(['test/**/*.test.ts', 'examples/**/*.test.ts']).sort())
  assert.ok(groups.every(group => group.length >= 1 && group.length <= GROUP_MAX))
  assert.deepEqual(groupsOf(['./test/ids.test.ts', 'test/queue/queue.test.ts']), [['test/queue/queue.test.ts'], ['test/ids.test.ts']])
  assert.deepEqual(groupsOf([]), groups)
})
