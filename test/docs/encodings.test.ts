// Large answers that stay the same are sent compressed to clients that accept it: the documentation, and the OpenAPI document.
import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { suite, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { encodings } from '../../src/ingress/encoded.ts'
import { testApp } from '../support/app.ts'

const app = await testApp()

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The raw answer: fetch would decompress it. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) =>
    request(app.url + path, { method, headers }, async response => {
      const body = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
      .on('error', reject)
      .end(),
  )

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }

const [STYLE = ''] = /\/docs\/assets\/page-[\w-]+\.css/.exec((await get('/docs/start')).body.toString()) ?? []

for (const path of ['/docs', '/docs/start', STYLE, '/docs/nothing', '/api/v1/openapi.json'])
  suite(path, async () => {
    const plain = await get(path)

    for (const [encoding, decode] of Object.entries(DECODE))
      test(`${encoding} is a fraction of it, with a tag of its own`, async () => {
        const { status, headers, body } = await get(path, { 'accept-encoding': encoding })
        assert.deepEqual([status, headers['content-encoding'], headers.vary], [plain.status, encoding, 'Accept-Encoding'])
        assert.equal(headers['content-length'], String(body.length))
        assert.deepEqual(decode(body), plain.body)
        assert.ok(body.length * 2 < plain.body.length, `${body.length} of ${plain.body.length} bytes`)
        assert.notEqual(headers.etag, plain.headers.etag)
        const head = await get(path, { 'accept-encoding': encoding }, 'HEAD')
        assert.deepEqual([head.headers.etag, head.headers['content-length'], head.body.length], [headers.etag, String(body.length), 0])
        if (status !== 200) return
        const again = await get(path, { 'accept-encoding': encoding, 'if-none-match': headers.etag ?? '' })
        assert.deepEqual([again.status, again.headers.etag, again.headers.vary], [304, headers.etag, 'Accept-Encoding'])
        const other = await get(path, { 'accept-encoding': encoding, 'if-none-match': plain.headers.etag ?? '' })
        assert.equal(other.status, 200, 'the tag of another encoding does not match')
      })

    test('nothing is compressed for clients that do not ask, and Vary names the header that it depends on', () => {
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.equal(plain.headers.vary, 'Accept-Encoding')
    })
  })

test('the reference is a tenth of its size and less', async () => {
  const [plain, br] = await Promise.all([get('/docs'), get('/docs', { 'accept-encoding': 'gzip, deflate, br, zstd' })])
  assert.ok(br.body.length * 10 < plain.body.length, `${br.body.length} of ${plain.body.length} bytes`)
})

test('a file that is compressed already is not compressed again', async () => {
  const { headers, body } = await get('/docs/client.tgz', { 'accept-encoding': 'br, gzip' })
  assert.equal(headers['content-encoding'], undefined)
  assert.deepEqual([...body.subarray(0, 2)], [0x1f, 0x8b])
})

test('Accept-Encoding is read as RFC 9110 has it', () => {
  const encoded = encodings('x'.repeat(1000))
  for (const [header, encoding] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['X-GZIP', 'gzip'],
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0,gzip;q=0', undefined],
    ['gzip;q=0.000, *', 'br'],
    ['br ; q=0.1', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['brotli, gzipped', undefined],
  ] as const)
    assert.equal(encoded(header).headers['Content-Encoding'], encoding, header)
})

test('each encoding is made once', () => {
  const encoded = encodings('x'.repeat(1000))
  for (const header of [undefined, 'br', 'gzip']) assert.equal(encoded(header), encoded(header))
})
