// Whether a manifest may be installed: everything that is wrong with it is told at once, and what deserves a look besides.
import { check, fits } from '../../ingress/validate.ts'
import { ERRORS_MAX } from '../../limits/bodies.ts'
import { APP_SCHEMAS_PARTS, APP_SCHEMAS_PATTERN_STATES } from '../../limits/skills.ts'
import type { Policy } from '../../outbound/address.ts'
import { fieldOf } from '../../problems.ts'
import { judge, type Remark } from '../../skills/judge.ts'
import type { Finding, Findings, Steps } from './finding.ts'
import type { TriggerType } from './flow-shapes.ts'
import { checkFlows } from './flows.ts'
import { mend } from './mend.ts'
import { plainText } from './plain.ts'
import { type Breach, RULES } from './rules.ts'
import { plainScopes, scopeNames } from './scopes.ts'
import { Manifest } from './shape.ts'
import { withoutSubject } from './subjects.ts'

export interface CheckOptions {
  /** The types of events that a flow may begin with. */
  triggers: readonly TriggerType[]
  outbound: Policy
}

export interface Checked extends Findings {
  /** The manifest, where nothing is wrong with it. */
  manifest: Manifest | undefined
}

/** @param value JSON of any content; the errors are the first ERRORS_MAX, and so are the warnings */
export function checkManifest(value: unknown, { triggers, outbound }: CheckOptions): Checked {
  const errors: Finding[] = []
  const warnings: Finding[] = []
  tell(errors, 'invalid_text', plainText(value))
  if (errors.length > 0) return { errors, warnings, manifest: undefined }
  const wrong = fits(Manifest, value) ? [] : faultsOfShape(value)
  const mended = wrong.length > 0 ? mend(value, wrong) : { manifest: value as Manifest, isSure: () => true }
  if (!mended) return { errors: wrong, warnings, manifest: undefined }
  const { manifest, isSure } = mended
  const setting = { eventNames: triggers.map(({ name }) => name), outbound }
  for (const { code, warns, find } of RULES) tell(warns ? warnings : errors, code, find(manifest, setting))
  const all = { parts: 0, states: 0 }
  for (const [at, schema] of schemasOf(manifest)) {
    const judged = judge(schema)
    all.parts += judged.size?.parts ?? 0
    all.states += judged.size?.states ?? 0
    // The rest is not looked at: judging them all would hold up whatever else there is to do.
    if (all.parts > APP_SCHEMAS_PARTS || all.states > APP_SCHEMAS_PATTERN_STATES) {
      const message = 'makes the schemas of this app too large together; describe less in them, and repeat less in their patterns.'
      tell(errors, 'schema_too_large', [{ at, message }])
      break
    }
    tell(errors, 'invalid_schema', remarks(judged.errors.filter(firstOfPlace(each => fieldOf(each.at))), at))
    tell(warnings, 'invalid_schema', remarks(judged.warnings, at))
  }
  tell(errors, 'invalid_schema', mustBeObjects(manifest))
  const used = plainScopes(manifest)
  tell(errors, 'invalid_value', checkFlows(manifest, triggers, used))
  tell(warnings, 'no_subject', withoutSubject(manifest, triggers))
  const known = scopeNames(setting.eventNames)
  tell(
    warnings,
    'unused_scope',
    unused(manifest, scope => used.has(scope) || !known.includes(scope)),
  )
  const sure = errors.filter(isSure)
  return {
    errors: [...wrong, ...sure].slice(0, ERRORS_MAX),
    warnings: warnings.filter(isSure),
    manifest: wrong.length + sure.length > 0 ? undefined : manifest,
  }
}

const faultsOfShape = (value: unknown): Finding[] =>
  check(Manifest, structuredClone(value))
    .filter(firstOfPlace(({ field }) => field))
    .map(({ field, code, message }) => ({ path: field, code, message: hinted(field, message) }))

/** The first of several faults of one place says enough: a value of the wrong type is out of range besides. */
function firstOfPlace<T>(placeOf: (each: T) => string): (each: T) => boolean {
  const seen = new Set<string>()
  return each => seen.size < seen.add(placeOf(each)).size
}

/** The way out of a choice that authors look for in vain. */
const hinted = (path: string, message: string): string =>
  /^resources\[\d+\]\.fields\[\d+\]\.type$/.test(path) ? message.replace(/\.$/, '; keep money in your own service.') : message

function tell(findings: Finding[], code: string, breaches: Iterable<Breach>): void {
  for (const breach of breaches) {
    if (findings.length >= ERRORS_MAX) return
    findings.push({ path: fieldOf([...breach.at]), code: breach.code ?? code, message: breach.message })
  }
}

const schemasOf = ({ skills = [] }: Manifest): [Steps, Record<string, unknown>][] =>
  skills.flatMap(({ inputSchema, outputSchema }, index): [Steps, Record<string, unknown>][] => [
    [['skills', index, 'inputSchema'], inputSchema],
    ...(outputSchema ? [[['skills', index, 'outputSchema'], outputSchema] as [Steps, Record<string, unknown>]] : []),
  ])

function* remarks(found: Remark[], at: Steps): Generator<Breach> {
  for (const remark of found) yield { ...remark, at: [...at, ...remark.at] }
}

function* mustBeObjects({ skills = [] }: Manifest): Generator<Breach> {
  for (const [index, { inputSchema }] of skills.entries())
    if (inputSchema['type'] !== 'object')
      yield { at: ['skills', index, 'inputSchema', 'type'], message: 'must be "object": arguments have names.' }
}

function* unused({ scopes }: Manifest, isUsed: (scope: string) => boolean): Generator<Breach> {
  for (const [index, scope] of scopes.entries())
    if (!isUsed(scope)) yield { at: ['scopes', index], message: `is ${scope}, which nothing in the manifest uses; leave it out.` }
}
