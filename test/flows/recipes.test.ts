// The flows of the guide: every recipe can be installed as it stands, with the scopes that it names.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import { eventTypes } from '../../src/catalog.ts'
import { aManifest } from '../support/apps.ts'

const page = readFileSync('docs/apps/flows.md', 'utf8')
const recipes = page
  .slice(page.indexOf('## Ten recipes'))
  .split(/^\d+\. /m)
  .slice(1)

test('there are ten recipes', () => assert.equal(recipes.length, 10))

for (const recipe of recipes) {
  const [title = ''] = recipe.split('\n')
  test(`recipe: ${title}`, () => {
    const scopes = [...title.matchAll(/`([a-z]+:[a-z._]+)`/g)].map(([, scope]) => scope as string)
    const flow = JSON.parse(/```json\n([\s\S]*?)```/.exec(recipe)?.[1] ?? '')
    const skill = {
      id: 'award',
      name: 'Award',
      description: 'Awards points.',
      endpoint: 'https://points.example/award',
      inputSchema: { type: 'object' },
    }
    const { errors, warnings } = checkManifest(
      aManifest({
        scopes,
        flows: [flow],
        ...(scopes.includes('write:records') && {
          resources: [{ id: 'notes', name: 'Notes', fields: [{ name: 'text', type: 'string' as const }] }],
        }),
        ...(title.includes('service') && { skills: [skill] }),
      }),
      { triggers: eventTypes, outbound: { allowPrivate: false, allowOrigins: [] } },
    )
    assert.deepEqual(errors, [])
    assert.deepEqual(warnings, [], 'every scope that it names is needed')
  })
}
