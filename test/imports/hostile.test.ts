// Rows made to cost as much as a row may (see support/hostile.ts): each is read as web reads it, then checked as a worker checks it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { loadConfig } from '../../src/config.ts'
import { prepare } from '../../src/imports/check-rows.ts'
import { ndjsonRows } from '../../src/imports/file/ndjson.ts'
import { ERRORS_OF_ROW, ROW_BYTES } from '../../src/imports/file/row.ts'
import { IMPORTABLE, type Importable } from '../../src/imports/importable.ts'
import { RESOURCES } from '../../src/imports/schema.ts'
import { takesJson } from '../../src/ingress/body.ts'
import type { FieldError } from '../../src/problems.ts'
import { restRoutes } from '../../src/rest.ts'
import { hostileBodies } from '../support/hostile.ts'

/** The limit of reading's and checking's processor time together. Most rows take 5 to 30. */
const ROW_MS = 250
/** Other work on the machine only makes a row dearer: a row is judged by its best of this many times. */
const TIMES = 4

const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64), BASE_URL: 'https://shop.example' })
// Only the route's schema is used: no route is called.
const { routes } = restRoutes(config, {} as never, {} as never)
const compress = promisify(zstdCompress)

/** @returns what is wrong with the row */
async function errorsOf(what: Importable, row: Buffer): Promise<FieldError[]> {
  async function* file() {
    yield row
  }
  for await (const { good, bad } of ndjsonRows(file())) {
    if (bad[0]) return bad[0].errors
    if (!good[0]) continue
    const body = await compress(`${good[0].text}\n`)
    const { rows } = await prepare(what, { number: 1, applied: 0, lines: [1], repeats: null, body })
    return rows[0] && 'errors' in rows[0] ? rows[0].errors : []
  }
  return []
}

for (const resource of RESOURCES)
  test(`a row of ${resource} made to cost much is refused at once`, async () => {
    const route = routes.filter(takesJson).find(({ method, path }) => method === 'POST' && path === `/api/v1/${resource}`)
    assert.ok(route)
    for (const { what, body } of hostileBodies(route, 'one')) {
      if (body.length > ROW_BYTES) continue
      let least = Number.POSITIVE_INFINITY
      for (let time = 0; time < TIMES && least > ROW_MS; time++) {
        const before = process.cpuUsage()
        const errors = await errorsOf(IMPORTABLE[resource], body)
        const { user, system } = process.cpuUsage(before)
        least = Math.min(least, (user + system) / 1000)
        assert.ok(errors.length <= ERRORS_OF_ROW, what)
        for (const { field, message } of errors) assert.ok(field.length + message.length < 1_000, what)
      }
      assert.ok(least <= ROW_MS, `${what} took ${least} ms`)
    }
  })
