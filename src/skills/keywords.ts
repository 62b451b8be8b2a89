// The keywords of JSON Schema, as far as schemas that others wrote are looked through for them.

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const INNER_KINDS: Record<string, 'one' | 'list' | 'named' | 'one or list'> = {
  $defs: 'named',
  definitions: 'named',
  properties: 'named',
  patternProperties: 'named',
  dependentSchemas: 'named',
  dependencies: 'named',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'one or list',
  additionalItems: 'one',
  additionalProperties: 'one',
  unevaluatedItems: 'one',
  unevaluatedProperties: 'one',
  propertyNames: 'one',
  contains: 'one',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'one',
  else: 'one',
  contentSchema: 'one',
}

export const INNER = new Map(Object.entries(INNER_KINDS))

export const KNOWN = new Set([
  ...INNER.keys(),
  ...'$schema $id $anchor $ref $comment $vocabulary type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'.split(
    ' ',
  ),
  ...'maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required'.split(' '),
  ...'dependentRequired format contentEncoding contentMediaType title description default deprecated readOnly writeOnly examples'.split(
    ' ',
  ),
])

/** Keywords that stand for themselves: they name no other part, and no two of them can contradict each other in a way that a compiler minds. */
export const PLAIN = new Set([
  ...'type properties required items enum const additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(
    ' ',
  ),
  ...'minLength maxLength pattern minItems maxItems minProperties maxProperties title description default examples deprecated'.split(' '),
  ...'$comment readOnly writeOnly format'.split(' '),
])
