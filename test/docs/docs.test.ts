// The documentation over HTTP, from a real server: every address that the service hands out resolves, and nothing else does.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { docsRoutes } from '../../src/docs/routes.ts'
import { JSON_BODY_BYTES, JSON_DEPTH } from '../../src/limits/bodies.ts'
import { PLANS } from '../../src/limits/rate.ts'
import { PROBLEMS } from '../../src/problems.ts'
import { sample } from './sample.ts'

let app: FastifyInstance
let origin: string

before(async () => {
  app = Fastify()
  docsRoutes(app, { document: () => sample, baseUrl: 'https://shop.example', docsUrl: 'https://shop.example/docs' })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => app.close())

const page = async (path: string) => {
  const response = await fetch(origin + path)
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, text: await response.text() }
}

for (const [slug, { status }] of Object.entries(PROBLEMS)) {
  test(`the type URI of ${slug} resolves to its page, with its status and an example of itself`, async () => {
    const { status: found, type, text } = await page(`/docs/errors/${slug}`)
    assert.equal(found, 200)
    assert.equal(type, 'text/html; charset=utf-8')
    assert.match(text, new RegExp(`<strong>${status}\\.</strong>`))
    const example = JSON.parse(unescaped(/<code data-language="json">([^<]*)/.exec(text)?.[1] ?? ''))
    assert.equal(example.type, `https://shop.example/docs/errors/${slug}`)
    assert.equal(example.status, status)
    assert.equal(example.title, PROBLEMS[slug as keyof typeof PROBLEMS].title)
    assert.ok(example.detail && example.instance && example.trace_id)
  })
}

test('the index of errors names every type', async () => {
  const { text } = await page('/docs/errors')
  for (const slug of Object.keys(PROBLEMS)) assert.ok(text.includes(`href="/docs/errors/${slug}"`), slug)
})

test('the page that deprecated answers link to has the place they link to, and their four headers byte for byte', async () => {
  const { text } = await page('/docs/api/pagination')
  assert.match(text, /id="cursor"/)
  const shown = unescaped(text)
  for (const header of [
    'Deprecation: true',
    'Sunset: Sat, 31 Jul 2026 23:59:59 GMT',
    'Link: <https://shop.example/docs/api/pagination#cursor>; rel="successor-version"',
    'Warning: 299 - "Offset pagination is deprecated; migrate to cursor pagination before the Sunset date."',
  ])
    assert.ok(shown.includes(header), header)
})

/** Of commands alone: docs/decisions, "Commands refuse in the words of their options". */
const CODES_OF_COMMANDS = ['duplicate_account', 'another_account', 'not_applicable']

test('every code that a refusal, a message or a payment carries is documented', () => {
  const read = (pattern: string): string[] => globSync(join(import.meta.dirname, '../..', pattern)).map(file => readFileSync(file, 'utf8'))
  const documented = read('docs/{*,{agent,api,apps,channels,errors}/*}.md').join()
  const codes = new Set(
    read('src/**/*.{ts,tsx}').flatMap(source => [...source.matchAll(/\bcode: '([a-z_-]+)'/g)].map(match => match[1] as string)),
  )
  assert.ok(codes.size > 100)
  assert.deepEqual(
    [...codes].filter(code => !documented.includes(`\`${code}\``) && !CODES_OF_COMMANDS.includes(code)),
    [],
  )
})

test('the plans in the documentation are the plans', async () => {
  const { text } = await page('/docs/api/rate-limits')
  for (const [plan, { read, write }] of Object.entries(PLANS))
    assert.ok(text.includes(`<tr><td>${plan}</td><td>${read}</td><td>${write}</td></tr>`), plan)
})

test('the limits of a body in the conventions are the limits', async () => {
  const { text } = await page('/docs/api/conventions')
  const bytes = String(JSON_BODY_BYTES).replace(/\B(?=(\d{3})+$)/g, ' ')
  assert.ok(text.includes(`(${bytes} bytes) and ${JSON_DEPTH} levels`))
})

test('every internal link of every page leads to a page, and its fragment to an element', async () => {
  const pages = new Map<string, string>()
  const open = ['/docs']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { status, type, text } = await page(path)
    assert.equal(status, 200, path)
    pages.set(path, type?.startsWith('text/html') ? text : '')
    open.push(
      ...internal(path, pages.get(path) ?? '')
        .map(link => link.path)
        .filter(next => !pages.has(next) && !open.includes(next)),
    )
  }
  assert.ok(pages.size > 20)
  for (const [from, text] of pages)
    for (const { path, fragment } of internal(from, text))
      if (fragment) assert.ok(pages.get(path)?.includes(`id="${fragment}"`), `${from} links to ${path}#${fragment}`)
})

function internal(from: string, text: string): { path: string; fragment: string }[] {
  const addresses = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(match => new URL(unescaped(match[1] as string), origin + from))
  return addresses
    .filter(({ origin: host, pathname }) => [origin, 'https://shop.example'].includes(host) && pathname.startsWith('/docs'))
    .map(({ pathname, hash }) => ({ path: pathname, fragment: decodeURIComponent(hash.slice(1)) }))
}

test('no id stands twice on a page', async () => {
  for (const path of ['/docs', '/docs/api/pagination', '/docs/webhooks', '/docs/changelog']) {
    const ids = [...(await page(path)).text.matchAll(/ id="([^"]*)"/g)].map(match => match[1])
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
      path,
    )
  }
})

test('the service’s own address leads to the dashboard; a client that does not follow reads where all is', async () => {
  for (const method of ['GET', 'HEAD']) {
    const told = await fetch(origin, { method, redirect: 'manual' })
    assert.deepEqual([told.status, told.headers.get('location')], [303, '/dashboard'])
    assert.equal(told.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(await told.text(), method === 'GET' ? /<a href="\/docs">/ : /^$/)
  }
})

test('an unknown page is a 404 that a person can read', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/errors/',
    '/docs/errors/nothing',
    '/docs/decisions',
    '/docs/errors/conflict.md',
    '/docs/constructor',
    '/docs/not%20found',
    '/docs/not found',
    '/docs/Start',
    '/docs/%20',
    '/docs/assets/nothing.css',
  ]) {
    const { status, text } = await page(path)
    if (path === '/docs/errors/') assert.equal(status, 200)
    else {
      assert.equal(status, 404, path)
      assert.match(text, /There is no such page/)
    }
  }
})

test('no path leaves the documentation', async () => {
  for (const path of [
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/errors/..%5c..%5c..%5cpackage.json',
    '/docs//etc/passwd',
    '/docs/%00',
    '/docs/webhooks/../../package.json',
  ]) {
    const { status, body } = await exact(path)
    assert.ok([400, 404].includes(status), `${path} answered ${status}`)
    assert.doesNotMatch(body, /"dependencies"|root:/)
  }
})

// fetch would tidy the path up before sending it.
function exact(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { path }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    sent.on('error', reject).end()
  })
}

test('pages run no script and load nothing but what is served here', async () => {
  const { headers } = await page('/docs')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'self'; script-src 'self'/)
  for (const path of ['/docs', '/docs/start', '/docs/nothing']) {
    const { text } = await page(path)
    assert.doesNotMatch(
      text,
      /<style|\sstyle=|<script(?! src="\/docs\/assets\/(page|reference)-[\w-]{12}.js" defer)|\son\w+=|src="https?:|<link[^>]*href="https?:/,
    )
  }
})

test('a page that has not changed is a 304', async () => {
  const { headers } = await page('/docs/errors')
  assert.equal(headers.get('cache-control'), 'public, max-age=300')
  const again = await fetch(`${origin}/docs/errors`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
})

test('where the documentation has a host of its own, links and examples follow', async () => {
  const other = Fastify()
  docsRoutes(other, { document: () => sample, baseUrl: 'https://shop.example', docsUrl: 'https://help.example' })
  const { body } = await other.inject('/docs/errors/conflict')
  assert.match(body, /href="\/errors\/invalid-api-key"/)
  assert.match(body, /https:\/\/help\.example\/errors\/conflict/)
  await other.close()
})

function unescaped(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as 'amp'] as string,
  )
}
