// The sandbox against scripts that want out, never end, take all there is, or lead to what is no JSON. Each run says what its language looks like before its
// script begins: so each row also shows that the rows before it left nothing behind. (`f` is a function that many scripts declare, which is there before they begin.)
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import base from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { prepare } from '../../src/builder/sandbox/evaluate.ts'
import type { Outcome } from '../../src/builder/sandbox/outcome.ts'
import { createSandbox, type Sandbox } from '../../src/builder/sandbox/sandbox.ts'
import { createTurns, type Turn } from '../../src/builder/sandbox/turns.ts'
import { SANDBOX_GRACE_MS, SANDBOX_LOG_BYTES, SANDBOX_LOG_LINES, SANDBOX_MS, SANDBOX_WAITING } from '../../src/limits/builder.ts'
import type { Problem } from '../../src/problems.ts'

/** Logs, in front of a script and on its first line, what a script could have left behind. */
const LOOK = `{ let seen = ''; for (const name of Object.getOwnPropertyNames(globalThis)) { if (name === 'f') continue; const value = globalThis[name]; seen += name; for (const part of [value, value?.prototype]) if (Object(part) === part && part !== globalThis) for (const key of Reflect.ownKeys(part)) seen += String(key) } console.log(seen.length + JSON.stringify([typeof input, Object.keys(console).length])) };`

/** What a script leads to: its JSON, or `name: message` of its error. */
type Expected = string | RegExp
interface Row {
  what: string
  code: string
  expected: Expected
  timeout_ms?: number
  /** What is logged. */
  logs?: string[]
}

const rows = (timeoutMs: number | undefined, expected: Expected | undefined, ...list: [string, string, Expected?, string[]?][]): Row[] =>
  list.map(([what, code, own, logs]) => ({
    what,
    code,
    expected: own ?? (expected as Expected),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(logs && { logs }),
  }))

const ESCAPES = rows(
  undefined,
  'null',
  ['process by the constructor of a function', "console.log.constructor('return globalThis.process')()"],
  ['process by the constructor of its constructor', "(() => 1).constructor.constructor('return typeof process')()", '"undefined"'],
  ['process by an async function', "(async () => 1).constructor('return typeof process')()", '"undefined"'],
  ['process by a generator', "[...(function* () {}).constructor('yield typeof process')()]", '["undefined"]'],
  ['process by eval', "(0, eval)('typeof process')", '"undefined"'],
  [
    'names of hosts',
    "['process','require','module','exports','global','window','self','fetch','setTimeout','setInterval','setImmediate','queueMicrotask','WebAssembly','Worker','Buffer','performance','crypto','Deno','std','os','print','scriptArgs','gc','load','read','structuredClone','postMessage','parentPort','send','XMLHttpRequest','Atomics','navigator','Intl'].filter(name => name in globalThis)",
    '[]',
  ],
  ['a module of the host', "import('node:fs')", /^ReferenceError: could not load module 'node:fs'$/],
  ['a module by its path', "import('/etc/passwd')", /^ReferenceError: could not load module/],
  ['a module of text', "import('data:text/javascript,1')", /^ReferenceError: could not load module/],
  ['an import', "import fs from 'fs'", /^SyntaxError: /],
  ['import.meta', 'import.meta', /^SyntaxError: /],
  ['this of a loose function', '(function () { return this === globalThis })()', 'true'],
  ['the caller of a function', '(function () { return arguments.callee.caller })()', /^(TypeError: .*|null)$/],
  ['the caller of console.log', 'console.log.caller', /^(TypeError: .*|null)$/],
  ['the stack below toJSON', "({ toJSON: () => new Error('x').stack })", /^"(?!.*(file:|node_modules|\.ts|\.mjs|\/)).*"$/],
  ['a stack made by the script', 'Error.prepareStackTrace = (error, calls) => calls; String(typeof new Error("x").stack)', '"string"'],
  ['replaced JSON.stringify', 'JSON.stringify = () => \'"stolen"\'; ({ a: 1 })', '{"a":1}'],
  ['replaced String and Reflect', 'String = Reflect.apply = () => { throw 1 }; console.log(1, Symbol("a")); 2', '2', ['1 Symbol(a)']],
  ['replaced String.prototype.slice', "String.prototype.slice = () => 'stolen'; throw new Error('a')", /^Error: a$/],
  ['replaced iterators', 'Array.prototype[Symbol.iterator] = () => { throw 1 }; console.log(1, 2); 3', '3', ['1 2']],
  [
    'a setter in the way of a list',
    "Object.defineProperty(Array.prototype, '0', { set() { throw 1 } }); console.log('a', 'b'); 4",
    '4',
    ['a b'],
  ],
  ['descriptors by the prototype', 'Object.prototype.get = () => 1; Object.prototype.set = () => 1; console.log(1); 5', '5', ['1']],
  ['replaced call and apply', 'Function.prototype.call = Function.prototype.apply = () => { throw 1 }; console.log(6); 6', '6', ['6']],
  ['replaced then', 'Promise.prototype.then = () => { throw new Error("mine") }; 7', '7'],
  ['a constructor of promises', 'Promise.prototype.constructor = function () { throw 1 }; Promise.resolve = null; 8', '8'],
  ['no console any more', 'delete globalThis.console; typeof console', '"undefined"'],
  ['a console of its own', 'console = { log: 1 }; console.log', '1'],
  ['the input replaced', 'input = 1; input', '1'],
  ['toJSON of all objects', "Object.prototype.toJSON = () => 'all'; ({})", '"all"'],
  ['a name that programs mistake', 'JSON.parse(\'{"__proto__":{"x":1}}\')', '{"__proto__":{"x":1}}'],
  ['with', 'with ({ a: 1 }) a', '1'],
  ['a frozen global', 'Object.freeze(globalThis); Object.freeze(Object.prototype); 9', '9'],
  ['all built-ins gone', 'const all = globalThis; for (const name of Object.getOwnPropertyNames(all)) delete all[name]; 10', '10'],
)

const LOOPS = rows(
  20,
  /^TimeoutError: The script ran for longer than 20 ms/,
  ['while', 'while (true);'],
  ['for', 'for (;;) {}'],
  ['a loop that catches', 'for (;;) try { for (;;); } catch {}'],
  ['finally', 'for (;;) try { for (;;); } finally { for (;;); }'],
  ['a getter', '({ get a() { for (;;); } })'],
  ['a getter that is logged', 'console.log({ get a() { for (;;); } })'],
  ['toJSON', '({ toJSON() { for (;;); } })'],
  ['toString', 'String({ toString() { for (;;); } })'],
  ['valueOf', '+{ valueOf() { for (;;); } }'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the script's own
  ['Symbol.toPrimitive', '`${{ [Symbol.toPrimitive]() { for (;;); } }}`'],
  ['a trap of a proxy', 'new Proxy({}, { get() { for (;;); } }).a'],
  ['the names of a proxy', '({ a: new Proxy({}, { ownKeys() { for (;;); } }) })'],
  ['has of a proxy', "'a' in new Proxy({}, { has() { for (;;); } })"],
  ['the message of what is thrown', 'throw { get message() { for (;;); } }'],
  ['the stack of what is thrown', 'throw { get stack() { for (;;); } }'],
  ['a pattern', "/(a+)+$/.test('a'.repeat(40) + 'b')"],
  ['a pattern in replace', "'x'.replace(/x/, () => { for (;;); })"],
  ['a sort', '[3, 2, 1].sort(() => { for (;;); })'],
  [
    'a sort without an order',
    'Array.from({ length: 1e6 }, (_, n) => n).sort(() => Math.random() - 0.5)',
    /^(TimeoutError|InternalError): /,
  ],
  ['a generator', 'function* f() { for (;;) yield 1 } for (const each of f());'],
  ['an iterator', 'Array.from({ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) })', /^(TimeoutError|InternalError): /],
  ['awaiting for ever outside of functions', 'for (;;) await 1'],
  ['a loop after an await, that catches what ends it', 'await 1; for (;;) try { for (;;); } catch {}'],
  ['awaiting for ever', '(async () => { for (;;) await 1 })()'],
  ['promises that follow each other', 'new Promise(done => { const f = () => Promise.resolve().then(f); f() })'],
  ['then', '({ then() { for (;;); } })'],
  ['a promise that begets itself', 'const f = () => ({ then: done => done(f()) }); f()'],
  ['a reviver', "JSON.parse('[1]', () => { for (;;); })"],
  ['instanceof', '1 instanceof { [Symbol.hasInstance]() { for (;;); } }', /^TypeError: |^TimeoutError: /],
  ['a class', 'class A { static { for (;;); } }'],
  ['a default', 'function f(a = (() => { for (;;); })()) {} f()'],
  ['eval', "eval('for (;;);')"],
  ['a function of text', "new Function('for (;;);')()"],
)

// Built-ins that never ask whether their time is over, and what exhausts a stack.
const STUBBORN = rows(
  50,
  /^TimeoutError: The script ran for longer than 50 ms/,
  ['an overflow in the console', 'function f() { console.log({ toJSON: f }) } f()', /^(null$|InternalError: |TimeoutError: )/],
  ['a recursion that is caught', 'function f() { try { f() } catch {} f() } f()', /^(TimeoutError|InternalError): /],
  ['a hole of a large array as text', "new Array(1e9) + ''"],
  ['a join of many', "Array(3e7).join('abc')", /^(TimeoutError|InternalError): /],
  ['digits of a large number', '(2n ** 1000000n).toString()'],
  ['a large power', '(3n ** 100000n) ** 100n', /^(TimeoutError|RangeError|InternalError): /],
  ['a search in holes', 'new Array(4294967295).indexOf(1)'],
  ['a search from the end', 'Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)'],
  ['holes turned around', 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })', /^(TimeoutError|TypeError): /],
  ['a shared part, written out again and again', 'let a = [1]; for (let n = 0; n < 40; n++) a = [a, a]; a'],
  ['a result nested 100 000 deep', 'let a = []; for (let n = 0; n < 1e5; n++) a = [a]; a', /^(TimeoutError|InternalError): /],
)

// On a machine that is busy, time may be over first.
const BOMBS = rows(
  5_000,
  /^(InternalError|RangeError|TypeError|TimeoutError): /,
  ['lists', 'const a = []; for (;;) a.push(new Array(10000).fill(1))'],
  ['objects', 'let a = {}; for (let n = 0; ; n++) a = { a, b: [n, n, n, n, n, n, n, n] }'],
  ['a text that doubles', "let a = 'x'; for (;;) a += a"],
  ['texts', "const a = []; for (let n = 0; ; n++) a.push('x'.repeat(100000) + n)"],
  ['a repeated text', "'x'.repeat(1e9)"],
  ['a padded text', "'x'.padEnd(2 ** 30 - 1)"],
  ['a buffer', 'new ArrayBuffer(2 ** 31)'],
  ['a typed list', 'new Float64Array(1e9)'],
  ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6))'],
  ['shared buffers', 'const a = []; for (;;) a.push(new SharedArrayBuffer(1e6))'],
  ['a buffer that grows', 'const a = new ArrayBuffer(1, { maxByteLength: 2 ** 30 }); a.resize(2 ** 30)'],
  ['a map', "const a = new Map(); for (let n = 0; ; n++) a.set(n, 'x'.repeat(1000) + n)"],
  ['a set of lists', 'const a = new Set(); for (;;) a.add(new Array(1000).fill(0))'],
  ['names of members', "const a = {}; for (let n = 0; ; n++) a['x'.repeat(10000) + n] = 1"],
  ['symbols', "const a = []; for (let n = 0; ; n++) a.push(Symbol('x'.repeat(10000) + n))"],
  ['large numbers', 'const a = []; for (let n = 1n; ; n++) a.push(n << 1000000n)'],
  ['a recursion', 'function f() { f() } f()'],
  ['a recursion of getters', 'const a = { get a() { return this.a } }; a.a'],
  [
    'a recursion of proxies',
    'let a = {}; for (let n = 0; n < 1e5; n++) a = new Proxy(a, {}); a.b',
    /^(InternalError|RangeError|TypeError|TimeoutError): |^null$/,
  ],
  ['nested brackets for the parser', "JSON.parse('['.repeat(1e6))", /^(InternalError|SyntaxError|RangeError|TimeoutError): /],
  ['nested brackets for the compiler', "eval('['.repeat(1e6))", /^(InternalError|SyntaxError|RangeError|TimeoutError): /],
  ['a nested pattern', "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))", /^(InternalError|SyntaxError|RangeError|TimeoutError): /],
  ['a list spread out', 'Math.max(...new Array(1e7))'],
)

const LOGS = rows(
  undefined,
  'null',
  [
    'what is logged',
    "console.log('a', 1, null, undefined, true, 2n, { b: [1] }, () => 1, new TypeError('c'))",
    'null',
    ['a 1 null undefined true 2n {"b":[1]} [function] TypeError: c'],
  ],
  ['nothing at all', 'console.log()', 'null', ['']],
  ['a circle', 'const a = {}; a.a = a; console.log(a)', 'null', ['[object]']],
  ['what throws when it is looked at', 'console.log({ get a() { throw 1 } }, { toJSON() { throw 2 } })', 'null', ['[object] [object]']],
  ['a proxy that was revoked', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); console.log(proxy)', 'null', ['[object]']],
  ['NUL and half a surrogate pair', "console.log('a\\0b\\ud800c')", 'null', ['a\0b\u{FFFD}c']],
  ['logging in a log', 'console.log({ toJSON() { console.log("in"); return 1 } })', 'null', ['in', '1']],
)

const RESULTS = rows(
  undefined,
  'null',
  ['nothing', ''],
  ['undefined', 'undefined'],
  ['what was awaited', 'const a = await Promise.resolve(20); a + (await { then: done => done(22) })', '42'],
  ['a promise at the end', 'await 1; (async () => [await 2])()', '[2]'],
  ['a value that every object has', "Object.prototype.value = 'all'; 5", '5'],
  ['what was awaited and failed', "await Promise.reject(new RangeError('no'))", /^RangeError: no$/],
  ['a function', '() => 1'],
  ['a symbol', "Symbol('a')"],
  ['NaN', 'NaN'],
  ['infinity', '[1 / 0, -1 / 0]', '[null,null]'],
  ['minus zero', '-0', '0'],
  ['a BigInt', '1n', /^TypeError: .*BigInt/],
  ['a BigInt inside', '({ a: [1n] })', /^TypeError: .*(BigInt|bigint)/i],
  ['a circle', 'const a = {}; a.a = a; a', /^TypeError: circular/],
  ['a date', 'new Date(0)', '"1970-01-01T00:00:00.000Z"'],
  ['no date', 'new Date(NaN)'],
  ['a map and a set', '[new Map([[1, 2]]), new Set([1])]', '[{},{}]'],
  ['holes', '[, 1]', '[null,1]'],
  ['a typed list', 'new Uint8Array(2)', '{"0":0,"1":0}'],
  ['members by symbols', "({ [Symbol('a')]: 1, b: undefined, c() {} })", '{}'],
  ['half a surrogate pair', "'\\ud800' + '\\u0000'", '"\\ud800\\u0000"'],
  ['a text beyond the plane', "'\\u{1F600}'", '"\u{1F600}"'],
  ['a getter that throws', "({ get a() { throw new RangeError('no') } })", /^RangeError: no$/],
  ['toJSON that throws', "({ toJSON() { throw 'no' } })", /^Error: thrown: no$/],
  ['names that throw', "new Proxy({}, { ownKeys() { throw new Error('no') } })", /^Error: no$/],
  ['a proxy that was revoked', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); ({ proxy })', /^TypeError: /],
  ['a promise', 'Promise.resolve({ a: 1 })', '{"a":1}'],
  ['a promise of a promise', '(async () => (async () => 2)())()', '2'],
  ['a thenable', '({ then: done => done(3) })', '3'],
  ['a refusal', "Promise.reject(new TypeError('no'))", /^TypeError: no$/],
  ['a refusal that is no error', 'Promise.reject({ a: 1 })', /^Error: \{"a":1\}$/],
  ['a promise that is never settled', 'new Promise(() => {})', /^Error: .*never settled/],
  ['300 KB', "'x'.repeat(300 * 1024)", /^RangeError: The result has more than 256 KB/],
  ['300 KB of two bytes a character', "'\u00e4'.repeat(150 * 1024)", /^RangeError: The result has more than 256 KB/],
  ['250 KB', "'x'.repeat(250 * 1024).length", '256000'],
  ['null thrown', 'throw null', /^Error: thrown: null$/],
  ['undefined thrown', 'throw undefined', /^Error: thrown: undefined$/],
  ['a symbol thrown', "throw Symbol('a')", /^Error: thrown: Symbol\(a\)$/],
  [
    'what throws when it is looked at, thrown',
    'throw { get name() { throw 1 }, get message() { throw 2 }, get stack() { throw 3 } }',
    /^Error: /,
  ],
)

let sandbox: Sandbox
let clean: string | undefined
let weight = 0
const collect = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

type Ran = Pick<Outcome, 'json' | 'fault' | 'logs'>
type Run = (row: Row) => Promise<Ran>

const told = ({ json, fault }: Pick<Outcome, 'json' | 'fault'>): string => json ?? `${fault?.name}: ${fault?.message}`

const inThread =
  (tenant: string): Run =>
  ({ code, timeout_ms }) =>
    sandbox.execute(tenant, { code: LOOK + code, ...(timeout_ms !== undefined && { timeout_ms }) })

/** The same interpreter without a thread around it, a context for each: all that a script may come to, and a hundredth of the time. */
async function inContexts(): Promise<Run> {
  const quickjs = await newQuickJSWASMModuleFromVariant(base as unknown as QuickJSSyncVariant)
  return async ({ code, timeout_ms: timeoutMs = 2_000 }) => {
    const logs: Outcome['logs'] = []
    const ended = prepare(quickjs).run({ code: LOOK + code, input: undefined, timeoutMs }, { log: line => logs.push(line), logsCut() {} })
    return { json: undefined, fault: undefined, ...ended, logs }
  }
}

async function hold(run: Run, row: Row): Promise<void> {
  const { what, expected, timeout_ms, logs } = row
  const outcome = await run(row)
  const [look, ...rest] = outcome.logs
  if (typeof expected === 'string') assert.equal(told(outcome), expected, `${what}: ${told(outcome)}`)
  else assert.match(told(outcome), expected, `${what}: ${told(outcome)}`)
  if (logs)
    assert.deepEqual(
      rest.map(({ text }) => text),
      logs,
      what,
    )
  assert.doesNotMatch(JSON.stringify([outcome.fault, rest]), /file:\/\/|node_modules|\.[cm]?ts\b/, what)
  // A script that is no script is not begun, so it cannot say what it looks like.
  if (outcome.fault?.name === 'SyntaxError' && look === undefined) return
  clean ??= look?.text
  // What is short of time has perhaps not come to it.
  if (look !== undefined || (timeout_ms ?? 2_000) > 50) assert.equal(look?.text, clean, `what ${what} found`)
}

async function holdAll(list: Row[]): Promise<void> {
  const failures: string[] = []
  const run = await inContexts()
  for (const row of list) await hold(run, row).catch(error => failures.push(error.message))
  assert.deepEqual(failures, [])
}

/** Each in a thread, in two workspaces at once, which is what one process runs. */
async function holdInThreads(list: Row[]): Promise<void> {
  const left = [...list]
  const failures: string[] = []
  await Promise.all(
    ['one', 'other'].map(async tenant => {
      for (let row = left.shift(); row; row = left.shift()) await hold(inThread(tenant), row).catch(error => failures.push(error.message))
    }),
  )
  assert.deepEqual(failures, [])
}

before(async () => {
  sandbox = createSandbox()
  // As many at once as later, each with as much as it may have.
  await Promise.all(['one', 'other'].map(tenant => sandbox.execute(tenant, { code: 'const a = []; for (;;) a.push(new Uint8Array(1e6))' })))
  await sandbox.spareReady()
  collect()
  weight = process.memoryUsage().rss
})
after(() => sandbox.close())

describe('a script in the sandbox', () => {
  test('reaches nothing of the host, and replaces nothing that hands out its results', () => holdAll(ESCAPES))
  test('reaches no more from a thread', () => holdInThreads(ESCAPES.slice(0, 8)))
  test('ends when its time is over', () => holdAll(LOOPS))
  test('ends when its time is over, whatever it is at', () => holdInThreads(STUBBORN))
  test('takes what it may, and no more', () => holdInThreads(BOMBS))
  test('logs what it is given as text', () => holdAll(LOGS))
  test('leads to JSON, or to an error that says why not', () => holdAll(RESULTS))
  test('leaves a process that weighs what it weighed', async () => {
    const count = [ESCAPES, LOOPS, STUBBORN, BOMBS, LOGS, RESULTS].flat().length
    assert.ok(count >= 120, `${count} scripts`)
    await sandbox.spareReady()
    collect()
    const grown = (process.memoryUsage().rss - weight) / 1024 / 1024
    assert.ok(grown < 30, `${grown} MB`)
  })
})

test('a script has its input, tells the line of an error, and how long it took', async () => {
  assert.equal(told(await sandbox.execute('one', { code: 'input.a[1] * 2', input: { a: [1, 2], 'b\0': '\0' } })), '4')
  const { fault, durationMs } = await sandbox.execute('one', { code: 'const a = 1\n\nnull.b' })
  assert.deepEqual(fault, { name: 'TypeError', message: "cannot read property 'b' of null", line: 3 })
  assert.ok(durationMs >= 0 && durationMs < SANDBOX_MS + SANDBOX_GRACE_MS)
  assert.equal((await sandbox.execute('one', { code: 'const a = 1\n}' })).fault?.line, 2)
  const later = await sandbox.execute('one', { code: 'const a = await (async () => input)()\nawait null\na.b.c', input: {} })
  assert.deepEqual(later.fault, { name: 'TypeError', message: "cannot read property 'c' of undefined", line: 3 })
})

test('more lines or bytes of a log than there may be are left out, and that is told', async () => {
  const lines = await sandbox.execute('one', { code: 'for (let n = 0; n < 1e5; n++) console.warn(n)' })
  assert.deepEqual([lines.logs.length, lines.logsTruncated, lines.logs.at(-1)], [SANDBOX_LOG_LINES, true, { level: 'warn', text: '999' }])
  const long = await sandbox.execute('one', { code: "console.log('ä'.repeat(40000)); console.log('after')" })
  assert.deepEqual([long.logs.length, long.logsTruncated, Buffer.byteLength(long.logs[0]?.text ?? '')], [1, true, SANDBOX_LOG_BYTES])
  const cut = await sandbox.execute('one', { code: "console.log('x' + 'ä'.repeat(40000)); for (;;);", timeout_ms: 100 })
  assert.deepEqual([Buffer.byteLength(cut.logs[0]?.text ?? ''), cut.fault?.name], [SANDBOX_LOG_BYTES - 1, 'TimeoutError'])
  const exact = await sandbox.execute('one', { code: 'for (let n = 0; n < 1000; n++) console.log(n)' })
  assert.deepEqual([exact.logs.length, exact.logsTruncated], [SANDBOX_LOG_LINES, false])
})

test('of one workspace one runs and two wait', async () => {
  const slow = { code: 'for (;;);', timeout_ms: 100 }
  const run = (tenant: string) => sandbox.execute(tenant, slow).then(told, (error: Problem) => error.type)
  const mine = await Promise.all(['one', 'one', 'one', 'one'].map(run))
  assert.equal(mine.filter(each => each === 'rate-limit-exceeded').length, 1)
  assert.equal(mine.filter(each => each.startsWith('TimeoutError')).length, 3)
})

test('of all two run and eight wait; a place is free when nothing of its script is left', async () => {
  const { enter } = createTurns()
  const begun: Turn[] = []
  const refused: string[] = []
  const ask = (n: number) =>
    void enter(`tenant ${n}`).then(
      turn => begun.push(turn),
      (error: Problem) => refused.push(error.type),
    )
  for (let n = 0; n < 2 + SANDBOX_WAITING + 1; n++) ask(n)
  await immediate()
  assert.deepEqual([begun.length, refused], [2, ['service-unavailable']])
  for (let ended = 1; ended <= SANDBOX_WAITING; ended++) {
    const [turn] = begun.splice(0, 1) as [Turn]
    turn.end()
    await immediate()
    assert.equal(begun.length, 1, 'its thread has not ended')
    turn.leave()
    await immediate()
    assert.equal(begun.length, 2)
  }
})
