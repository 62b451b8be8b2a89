// The flows of the guide: every recipe can be installed as it stands, with the scopes that it names. That they run is tested beside the other runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import { eventTypes } from '../../src/catalog.ts'
import { manifestOf, recipes } from './recipes.ts'

test('there are ten recipes', () => assert.equal(recipes.length, 10))

for (const recipe of recipes)
  test(`recipe: ${recipe.title}`, () => {
    const { errors, warnings } = checkManifest(manifestOf([recipe]), {
      triggers: eventTypes,
      outbound: { allowPrivate: false, allowOrigins: [] },
    })
    assert.deepEqual(errors, [])
    assert.deepEqual(warnings, [], 'every scope that it names is needed')
  })
