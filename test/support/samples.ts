// Values that fit a schema: the smallest of each.
import fc from 'fast-check'
import type { Json } from './contract.ts'
import { extended, validValues } from './schema-arbitraries.ts'

const WHATEVER: (schema: Json) => Json = schema => schema

/** The smallest there is. */
export function sample(node: Json): Json {
  const known = samples.get(node)
  if (known !== undefined) return known
  const made = sampleOf(node)
  samples.set(node, made)
  return made
}

const samples = new WeakMap<object, Json>()

function sampleOf(node: Json): Json {
  const [form] = forms(node) as [Json]
  if (form.properties) return members(form)
  if (form.items) return Array.from({ length: form.minItems ?? 0 }, () => sample(form.items))
  if (typeof form.additionalProperties === 'object') return {}
  return fc.sample(validValues({ ...form, type: [form.type].flat()[0], maxLength: Math.min(form.maxLength ?? 20, 60) }, WHATEVER), {
    seed: 1,
    numRuns: 1,
  })[0]
}

/** The required members, the smallest of each. */
export function members(holder: Json): Json {
  const { required = [] } = extended(holder, holder.anyOf?.[0] ?? {}) as Json
  const given = Object.entries((holder.properties ?? {}) as Json).filter(([name]) => required.includes(name))
  return Object.fromEntries(given.map(([name, each]) => [name, sample(each)]))
}

/** The allowed values of a schema that only lists choices. */
export function forms(node: Json): Json[] {
  const choices: Json[] | undefined = node.oneOf ?? (node.properties ? undefined : node.anyOf)
  return choices?.flatMap(forms) ?? [node]
}
