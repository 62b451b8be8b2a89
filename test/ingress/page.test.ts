// The frame of pages: what each request of a page may do, what a form is worth, and what people see where something goes wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneAll } from '../../src/postgres/prune.ts'
import { pruneUsedForms } from '../../src/postgres/used-forms.ts'
import { moveClock } from '../support/clock.ts'
import { paged } from './paged.ts'

const { start, db, keyring } = await paged()
const plain = await start('http://shop.example')
const secure = await start('https://shop.example')

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** A browser with cookies, and no more. */
function browser(url: string, who?: string) {
  const jar = new Map<string, string>(who ? [['who', who]] : [])
  async function ask(path: string, init: RequestInit = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...BROWSER, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) }
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const post = (path: string, fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  /** The token of the form of that name. */
  async function token(path: string, form = ''): Promise<string> {
    const { text } = await ask(path)
    const found = [
      ...text.matchAll(
        /<form method="post"([^>]*)><input type="hidden" name="_csrf" value="([^"]+)"\/?>(?:<input type="hidden" name="_form" value="(\w*)"\/?>)?/g,
      ),
    ]
    return found.find(([, attributes, , name = '']) => name === form && !attributes?.includes('action'))?.[2] ?? ''
  }
  return { jar, ask, post, token }
}

test('a page for members leads to sign-in, and back', async () => {
  const { status, headers } = await browser(plain.url).ask('/dashboard/keys?a=1&b=%2F')
  assert.deepEqual([status, headers.get('location')], [303, '/sign-in?next=%2Fdashboard%2Fkeys%3Fa%3D1%26b%3D%252F'])
})

test('an operator sees what is open to operators, no link to the rest, and a refusal there', async () => {
  const operator = browser(plain.url, 'operator')
  const { status, text } = await operator.ask('/dashboard')
  assert.equal(status, 200)
  assert.match(text, /href="\/dashboard" aria-current="page"/)
  assert.doesNotMatch(text, /\/dashboard\/keys/)
  for (const refused of [await operator.ask('/dashboard/keys'), await operator.post('/dashboard/keys', {})]) {
    assert.equal(refused.status, 403)
    assert.match(refused.text, /<h1>This page is for admins<\/h1>/)
  }
  assert.match((await browser(plain.url, 'admin').ask('/dashboard')).text, /\/dashboard\/keys/)
})

test('every page has the same headers, and is not kept', async () => {
  const { headers } = await browser(plain.url, 'admin').ask('/dashboard')
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
  assert.equal(headers.get('strict-transport-security'), null)
  assert.match((await browser(secure.url, 'admin').ask('/dashboard')).headers.get('strict-transport-security') ?? '', /^max-age=31536000$/)
  assert.equal((await browser(plain.url).ask('/invite/inv_x')).headers.get('referrer-policy'), 'no-referrer')
})

test('hostile text is shown as text', async () => {
  const { text } = await browser(plain.url, 'admin').ask('/dashboard')
  assert.match(text, /&lt;b>hostile&lt;\/b> &amp; &quot;quoted&quot;|&lt;b&gt;hostile&lt;\/b&gt; &amp; &quot;quoted&quot;/)
  assert.match(text, /A &amp; B/)
  const { text: titled } = await browser(plain.url).ask(`/invite/${encodeURIComponent('</title><script>alert(1)</script>')}`)
  assert.doesNotMatch(titled, /<script>/)
})

test('an empty table says what to do', async () => {
  const { text } = await browser(plain.url, 'admin').ask('/dashboard?none')
  assert.match(text, /<div class="empty"><p>There are no things yet/)
})

test('a form does its work, answers 303, and the next page tells of it once', async () => {
  const person = browser(plain.url)
  const answer = await person.post('/sign-in', { _csrf: await person.token('/sign-in'), email: 'ada@shop.example', password: 'right' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/dashboard'])
  person.jar.set('who', 'admin')
  assert.match((await person.ask('/dashboard')).text, /role="status">Welcome, ada@shop\.example\.</)
  assert.doesNotMatch((await person.ask('/dashboard')).text, /Welcome/)
})

test('nobody else can write what the next page tells', async () => {
  const person = browser(plain.url, 'admin')
  for (const value of ['Send your password to evil.example', 'k1.AAAA']) {
    person.jar.set('shopdesk-notice', value)
    const { status, text } = await person.ask('/dashboard')
    assert.equal(status, 200)
    assert.doesNotMatch(text, /class="notice|evil/)
  }
})

test('a refused form keeps what was typed but passwords, with each error beside its field', async () => {
  const person = browser(plain.url)
  const first = await person.post('/sign-in', { _csrf: await person.token('/sign-in'), email: '"ada"@shop', password: 'wrong' })
  assert.equal(first.status, 422)
  assert.match(first.text, /role="alert"><p>Password is not the right one\.<\/p>/)
  assert.match(first.text, /value="&quot;ada&quot;@shop"/)
  assert.doesNotMatch(first.text, /value="wrong"/)
  assert.match(first.text, /aria-describedby="password-error" aria-invalid="true"/)
  assert.match(first.text, /<p id="password-error" class="error">[^<]*is not the right one/i)
})

test('a conflict is told where the form stands, and nothing of a bug is', async () => {
  const admin = browser(plain.url, 'admin')
  const fields = { _form: 'create', kind: 'mcp', scope: 'write' }
  const taken = await admin.post('/dashboard/keys', { ...fields, _csrf: await admin.token('/dashboard/keys', 'create'), name: 'taken' })
  assert.equal(taken.status, 409)
  assert.match(taken.text, /There is a key of that name/)
  assert.match(taken.text, /<option[^>]* value="mcp"[^>]*selected|<option[^>]*selected[^>]* value="mcp"/)
  assert.match(taken.text, /value="write" checked/)
  assert.doesNotMatch(taken.text, /value="read" checked/)
  const broken = await admin.post('/dashboard/keys', { ...fields, _csrf: await admin.token('/dashboard/keys', 'create'), name: 'broken' })
  assert.equal(broken.status, 500)
  assert.match(broken.text, /Reload this page, and the form is sent again with what you typed/)
  assert.match(broken.text, new RegExp(`Trace id: <code>${broken.headers.get('x-trace-id')}</code>`))
  assert.doesNotMatch(broken.text, /secret/)
})

test('a form is good once, also ten times at once', async () => {
  const { made } = await import('./sample-pages.tsx')
  const before = made.length
  const admin = browser(plain.url, 'admin')
  const form = { _form: 'create', name: 'once', kind: 'rest', scope: 'read' }
  const _csrf = await admin.token('/dashboard/keys', 'create')
  const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post('/dashboard/keys', { ...form, _csrf })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 409)])
  assert.match(answers.find(({ status }) => status === 409)?.text ?? '', /This form was sent already/)
  assert.match(answers.find(({ status }) => status === 200)?.text ?? '', /sk_once/)
  assert.deepEqual(made.slice(before), ['ten_a once rest read'])
})

test('a form that was refused may be sent again', async () => {
  const person = browser(plain.url)
  const _csrf = await person.token('/sign-in')
  assert.equal((await person.post('/sign-in', { _csrf, email: 'a', password: 'wrong' })).status, 422)
  assert.equal((await person.post('/sign-in', { _csrf, email: 'a', password: 'right' })).status, 303)
})

test('a form of which it is unknown whether it was done is not done again, and says to look', async () => {
  const admin = browser(plain.url, 'admin')
  const form = { _form: 'create', name: 'lost', kind: 'rest', scope: 'read', _csrf: await admin.token('/dashboard/keys', 'create') }
  const lost = await admin.post('/dashboard/keys', form)
  assert.deepEqual([lost.status, lost.headers.get('retry-after')], [503, '1'])
  assert.match(lost.text, /is sent again with what you typed, unless it was done\..*href="\/dashboard\/keys">Open the page anew/s)
  const { made } = await import('./sample-pages.tsx')
  const again = await admin.post('/dashboard/keys', { ...form, name: 'found' })
  assert.deepEqual([again.status, /Look before you send it again/.test(again.text)], [409, true])
  assert.ok(!made.some(each => each.includes(' found ')))
  assert.match(again.text, /value="found"/, 'what was typed is there, to be sent if it was not done')
  const renewed = again.text.split('name="_csrf" value="').at(1)?.split('"')[0] as string
  assert.equal((await admin.post('/dashboard/keys', { ...form, name: 'found', _csrf: renewed })).status, 200)
})

test('forms of other sessions, browsers and sites are refused, and say how to go on', async () => {
  const admin = browser(plain.url, 'admin')
  const theirs = await browser(plain.url, 'admin.two').token('/dashboard/keys', 'revoke')
  const stranger = await browser(plain.url).token('/sign-in')
  const mine = () => admin.token('/dashboard/keys', 'revoke')
  const form = { _form: 'revoke' }
  const refused: [string, Awaited<ReturnType<typeof admin.post>>][] = [
    ['no token', await admin.post('/dashboard/keys', form)],
    ['nonsense', await admin.post('/dashboard/keys', { ...form, _csrf: 'nonsense' })],
    ['a long one', await admin.post('/dashboard/keys', { ...form, _csrf: 'k1.'.padEnd(5_000, 'A') })],
    ["another session's", await admin.post('/dashboard/keys', { ...form, _csrf: theirs })],
    ["another browser's", await browser(plain.url).post('/sign-in', { _csrf: stranger })],
    ['a foreign origin', await admin.post('/dashboard/keys', { ...form, _csrf: await mine() }, { origin: 'https://evil.example' })],
    [
      'an origin that ends like ours',
      await admin.post('/dashboard/keys', { ...form, _csrf: await mine() }, { origin: 'http://shop.example.evil' }),
    ],
    ['no origin to name, by https', await browser(secure.url).post('/sign-in', { _csrf: stranger }, { origin: 'null' })],
    ['no origin and no token', await admin.post('/dashboard/keys', form, { origin: 'null' })],
    ['another site', await admin.post('/dashboard/keys', { ...form, _csrf: await mine() }, { 'sec-fetch-site': 'cross-site' })],
  ]
  for (const [what, { status, text }] of refused) {
    assert.equal(status, 403, what)
    assert.match(text, /<a href="\/(dashboard\/keys|sign-in)">Open the page anew<\/a>/, what)
  }
  const [from, typed] = [{ origin: 'http://shop.example' }, { _csrf: stranger, email: 'ada@shop.example' }]
  const another = browser(plain.url)
  await another.token('/sign-in')
  const kept = await another.post('/sign-in', typed, from)
  assert.equal(kept.status, 403)
  assert.match(kept.text, /You have signed in or out since this form was opened/)
  assert.match(kept.text, /value="ada@shop\.example"/, 'what our own page sent is shown again')
  const cookieless = await browser(secure.url).post('/sign-in', typed, { origin: 'https://shop.example' })
  assert.match(cookieless.text, /sent no cookie with this form.*open it as https:\/\/shop\.example\./)
  assert.doesNotMatch((await browser(plain.url).post('/sign-in', typed, { 'sec-fetch-site': 'none' })).text, /ada@shop/)
  const ours: Record<string, string>[] = [
    { origin: 'http://shop.example' },
    { origin: plain.url },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    // From a page with a secret in its address, by http: browsers say no more there.
    { origin: 'null' },
  ]
  for (const headers of ours) assert.equal((await admin.post('/dashboard/keys', { ...form, _csrf: await mine() }, headers)).status, 303)
})

test('a form that was open for over a day is shown again with what was typed, and what was sent is forgotten then', async () => {
  const { formToken, readFormToken } = await import('../../src/ingress/page/form-token.ts')
  const person = browser(plain.url)
  const _csrf = await person.token('/sign-in')
  const token = formToken(keyring, 'ses_a')
  moveClock(Date.now() + 25 * 3_600_000)
  assert.equal(readFormToken(keyring, token, 'ses_a'), 'expired')
  const late = await person.post('/sign-in?next=/dashboard', { _csrf, email: 'ada@shop.example', password: 'right' })
  assert.equal(late.status, 403)
  assert.match(late.text, /role="alert"><p>This form was open for over a day, so nothing was done\. Send it again\.<\/p>/)
  assert.match(late.text, /value="ada@shop\.example"/)
  assert.doesNotMatch(late.text, /value="right"/)
  const renewed = /name="_csrf" value="([^"]+)"/.exec(late.text)?.[1] ?? ''
  assert.equal((await person.post('/sign-in', { _csrf: renewed, email: 'ada@shop.example', password: 'right' })).status, 303)
  moveClock(Date.now())
  assert.equal(typeof readFormToken(keyring, token, 'ses_a'), 'object')
  await db.sql`insert into used_forms (number, used_at) values ('old', now() - interval '26 hours'), ('new', now())`
  assert.equal(await pruneAll(db.sql, pruneUsedForms), 1)
})

test('cookies over https are bound to the host, and all are closed to scripts and to other sites’ forms', async () => {
  const { headers } = await browser(secure.url).ask('/sign-in')
  assert.match(headers.get('set-cookie') ?? '', /^__Host-shopdesk-form=[\w-]{22}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const { headers: open } = await browser(plain.url).ask('/sign-in')
  assert.match(open.get('set-cookie') ?? '', /^shopdesk-form=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('what is no form is a page that says so', async () => {
  const admin = browser(plain.url, 'admin')
  const cases: [RequestInit & { path?: string }, number][] = [
    [{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 415],
    [{ method: 'POST', body: 'a='.padEnd(70_000, 'x'), headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 413],
    [{ method: 'POST', body: 'a&'.repeat(1_000), headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 422],
    [{ method: 'POST', body: '_form=create&name=%00', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 422],
    [{ method: 'POST', body: '_form=constructor', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 422],
    [{ method: 'POST', body: '%zz=%', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 422],
    [{ method: 'DELETE' }, 405],
    [{ method: 'PUT', body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 405],
    [{ method: 'PROPFIND' }, 405],
    [{ method: 'MKCOL', path: '/sign-in', body: 'a=1', headers: { 'content-type': 'text/plain' } }, 405],
    [{ path: '/sign-out' }, 405],
    [{ method: 'PROPFIND', path: '/dashboard/nothing' }, 404],
    [{ path: '/sign-in/more' }, 404],
    [{ path: '/dashboard/nothing' }, 404],
    [{ path: '/invite/a/b' }, 404],
  ]
  for (const [{ path = '/dashboard/keys', ...init }, status] of cases) {
    const answer = await admin.ask(path, { ...init, headers: { ...(init.headers as object), accept: '*/*' } })
    assert.equal(answer.status, status, `${init.method} ${path} ${String(init.body).slice(0, 30)}`)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(answer.text, /<h1>/)
  }
  assert.equal((await admin.ask('/sign-out')).headers.get('allow'), 'POST, OPTIONS')
  assert.equal((await admin.ask('/sign-in', { method: 'PROPFIND' })).headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
})

test('a page says by which methods it can be asked, and lets no other site ask', async () => {
  for (const [path, allow] of [
    ['/sign-in', 'GET, HEAD, POST, OPTIONS'],
    ['/sign-out', 'POST, OPTIONS'],
  ] as const) {
    const { status, headers } = await browser(plain.url).ask(path, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    assert.deepEqual([status, headers.get('allow'), headers.get('access-control-allow-origin')], [204, allow, null])
  }
})

test('`Accept: text/html` decides what an unknown path outside the API answers', async () => {
  const asks: [string, string, string][] = [
    ['/nothing', BROWSER.accept, 'text/html; charset=utf-8'],
    ['/nothing', '*/*', 'application/problem+json'],
    ['/nothing', 'application/json', 'application/problem+json'],
    ['/nothing', 'text/html;q=0, */*', 'application/problem+json'],
    ['/assets/page-aaaaaaaaaaaa.map', BROWSER.accept, 'text/html; charset=utf-8'],
    ['/%zz', BROWSER.accept, 'text/html; charset=utf-8'],
    ['/api/v1/nothing', BROWSER.accept, 'application/problem+json'],
    ['/api', BROWSER.accept, 'application/problem+json'],
  ]
  for (const [path, accept, type] of asks) {
    const { status, headers, text } = await browser(plain.url).ask(path, { headers: { accept } })
    assert.deepEqual([status, headers.get('content-type')], [404, type], `${path} ${accept}`)
    if (type.startsWith('text/html')) assert.match(text, /<h1>There is nothing here<\/h1>/)
  }
})

test('files that pages load have a hash in their names and are kept for ever; of another version they are not', async () => {
  const { text } = await browser(plain.url).ask('/sign-in')
  const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(match => match[1] as string)
  assert.equal(paths.length, 2)
  for (const path of paths) {
    const { status, headers } = await browser(plain.url).ask(path)
    assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable'])
    assert.match(headers.get('content-type') ?? '', /^text\/(css|javascript)/)
  }
  const other = await browser(plain.url).ask('/assets/page-000000000000.css')
  assert.deepEqual([other.status, other.headers.get('cache-control')], [200, 'no-cache'])
  for (const name of ['page.css', 'constructor-000000000000.css', '..%2fpage-000000000000.css'])
    assert.equal((await browser(plain.url).ask(`/assets/${name}`)).status, 404, name)
})

test('visitors without a session are counted by their address', async () => {
  const crowd = await start('http://shop.example')
  const statuses = []
  for (let n = 0; n < 610; n++) statuses.push((await crowd.app.inject({ url: '/sign-in', headers: BROWSER })).statusCode)
  assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [600, 429])
  const refused = await crowd.app.inject({ url: '/sign-in', headers: BROWSER })
  assert.match(refused.headers['retry-after'] as string, /^\d+$/)
  assert.match(refused.body, /<h1>Too many requests<\/h1>/)
  assert.equal((await crowd.app.inject({ url: '/dashboard', headers: BROWSER, cookies: { who: 'admin' } })).statusCode, 200)
})
