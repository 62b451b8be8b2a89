// A manifest held against the one that a description should give: by what its parts are, without ids and wording.
import assert from 'node:assert/strict'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import { generate } from '../../src/builder/generate/generate.ts'
import { eventTypes } from '../../src/catalog.ts'
import type { Described } from './expected.ts'

type Parts = Partial<Manifest>

export const options = { triggers: eventTypes, outbound: { allowPrivate: false, allowOrigins: [] } }

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
            return [step.type, resource(step.resource), Object.fromEntries(Object.entries(step.values).sort())]
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
      ...(steps.some(step => step.conditions) && {
        of_steps: steps.map(({ conditions: only = [] }) =>
          only.map(({ field, op, value }) => `${field} ${op} ${JSON.stringify(value)}`).sort(),
        ),
      }),
    })),
  }
}

export async function given({
  text,
  from,
  gives,
  quoted = [],
}: Described): Promise<{ isEqual: boolean; found: unknown; expected: unknown; notes: string[] }> {
  const { manifest, valid, problems, notes } = await generate(text, from, options)
  assert.ok(valid, `${text}: ${JSON.stringify(problems)}`)
  const { warnings } = checkManifest(manifest, options)
  // The scopes are those that are used: neither one more, nor one less.
  assert.deepEqual(
    warnings.filter(({ code }) => code !== 'no_relation' && code !== 'no_subject'),
    [],
    text,
  )
  const found = { ...(plain(manifest as Manifest) as object), quoted: quoted.filter(part => notes.some(note => note.includes(part))) }
  const expected = { ...(plain(gives) as object), quoted }
  return { isEqual: JSON.stringify(found) === JSON.stringify(expected), found, expected, notes }
}
