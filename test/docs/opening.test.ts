// The reference opens with what a newcomer needs: a first call, and where to go next.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'

const app = await testApp()
const { body: document } = await app.request('GET', '/api/v1/openapi.json')
const opening: string = document.info.description

test('the first call is answered as it stands', async () => {
  const [, path = ''] = /^curl "https:\/\/shop\.example(\/\S+)" -H "Authorization: Bearer \$API_KEY"$/m.exec(opening) ?? []
  const { key } = await app.tenant()
  const { status, body } = await app.request('GET', path, { key })
  assert.deepEqual([status, body.object], [200, 'list'])
})

test('each page to go to is there', async () => {
  const paths = [...opening.matchAll(/\]\(https:\/\/shop\.example(\/docs\/[^)]+)\)/g)].map(([, path = '']) => path)
  assert.ok(paths.includes('/docs/start') && paths.includes('/docs/api/conventions'))
  for (const path of paths) assert.equal((await app.request('GET', path)).status, 200, path)
})
