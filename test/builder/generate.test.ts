// What the generator makes of descriptions. They were written before it, and split by a hash: it was built looking at one half, and the other says how good
// it is.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import { generate } from '../../src/builder/generate/generate.ts'
import { eventTypes } from '../../src/catalog.ts'
import { DESCRIPTIONS, type Described } from './descriptions.ts'

const options = { triggers: eventTypes, outbound: { allowPrivate: false, allowOrigins: [] } }

/** The share of what was not looked at that has to come out equal. */
const EQUAL_MIN = 0.85

const wasLookedAt = (text: string): boolean => ((createHash('sha256').update(text).digest()[0] as number) & 1) === 0

type Parts = Partial<Manifest>

/** A manifest without ids and wording: things are named by what they are. */
function plain({ resources = [], skills = [], views = [], knowledge = [], config = [], flows = [] }: Parts): unknown {
  const resource = (id: string) => `resource ${resources.findIndex(each => each.id === id)}`
  const endpoint = (id: string) => skills.find(each => each.id === id)?.endpoint
  return {
    resources: resources.map(({ fields, relations = [], exposeToAi = false, allowAiWrite = false }) => ({
      fields: fields.map(({ required = false, ...field }) => ({ ...field, required })),
      relations: relations.map(({ target, type }) => `${type} ${target}`).sort(),
      exposeToAi,
      allowAiWrite,
    })),
    skills: skills.map(skill => ({
      endpoint: skill.endpoint,
      input: Object.keys((skill.inputSchema['properties'] ?? {}) as object).sort(),
    })),
    views: views
      .map(({ target, component }) => `${target} ${component.startsWith('list:') ? resource(component.slice(5)) : component}`)
      .sort(),
    knowledge: knowledge.map(({ content }) => content),
    config: config.map(({ key, type, required = false, enumValues = [] }) => ({ key, type, required, enumValues })),
    flows: flows.map(({ trigger, conditions = [], enabled = true, steps }) => ({
      trigger,
      enabled,
      conditions: conditions.map(({ field, op, value }) => `${field} ${op} ${JSON.stringify(value)}`).sort(),
      steps: steps.map(step => {
        switch (step.type) {
          case 'call_skill':
            return ['call', endpoint(step.skill), step.input]
          case 'create_record':
          case 'update_record':
            return [step.type, resource(step.resource), step.values]
          case 'tag_contact':
            return ['tag', step.tag]
          case 'wait':
            return ['wait', step.minutes]
          case 'notify':
            return ['notify', step.level ?? 'info']
          default:
            return [step.type]
        }
      }),
    })),
  }
}

async function given({ text, from, gives }: Described): Promise<{ isEqual: boolean; found: unknown; expected: unknown; notes: string[] }> {
  const { manifest, valid, problems, notes } = await generate(text, from, options)
  assert.ok(valid, `${text}: ${JSON.stringify(problems)}`)
  const { warnings } = checkManifest(manifest, options)
  // The scopes are those that are used: neither one more, nor one less.
  assert.deepEqual(
    warnings.filter(({ code }) => code !== 'no_relation'),
    [],
    text,
  )
  const [found, expected] = [plain(manifest as Manifest), plain(gives)]
  return { isEqual: JSON.stringify(found) === JSON.stringify(expected), found, expected, notes }
}

describe('a description that was looked at gives the manifest that was written for it', () => {
  for (const each of DESCRIPTIONS.filter(({ text }) => wasLookedAt(text)))
    test(each.text, async () => {
      const { found, expected, notes } = await given(each)
      assert.deepEqual(found, expected)
      assert.deepEqual(notes, [])
    })
})

test(`of the descriptions that were not looked at, at least ${EQUAL_MIN * 100} % do`, async t => {
  const others = DESCRIPTIONS.filter(({ text }) => !wasLookedAt(text))
  const results = await Promise.all(others.map(given))
  const share = results.filter(({ isEqual }) => isEqual).length / others.length
  t.diagnostic(`${Math.round(share * 100)} % of ${others.length}`)
  assert.ok(DESCRIPTIONS.length >= 80 && share >= EQUAL_MIN, `${Math.round(share * 100)} %`)
})
