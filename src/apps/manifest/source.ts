// A manifest as a file: JSON text in, its value out, and the place of each part in it.
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { MANIFEST_BYTES } from '../../limits/apps.ts'
import { JSON_DEPTH } from '../../limits/bodies.ts'
import { fieldOf } from '../../problems.ts'
import type { Finding } from './finding.ts'

/** Where something stands in a file; both from one. */
export interface Place {
  line: number
  column: number
}

export interface Source {
  /** The JSON value; undefined where the text is none. */
  value: unknown
  /** What is wrong with the text itself. */
  errors: Finding[]
  /** @param finding any of this manifest's @returns the place of what it names, or of what is around it */
  placeOf(finding: Finding): Place
}

/** @param bytes up to one more than a manifest may have */
export function readSource(bytes: Uint8Array): Source {
  if (bytes.length > MANIFEST_BYTES)
    return refused('too_large', `is larger than ${MANIFEST_BYTES / 1024} KB; move long texts into your own service.`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refused('invalid_text', 'is not UTF-8; save it in that encoding.')
  }
  if (text.startsWith('\u{FEFF}')) return refused('invalid_json', 'begins with a byte order mark; save it as UTF-8 without one.')
  if (text.trim() === '') return refused('invalid_json', 'is empty; begin it with {"manifestVersion": 1, …}.')
  const quick = readQuickly(text)
  if (quick) return quick
  const deep = tooDeep(text)
  if (deep !== undefined) return refused('too_deep', `is nested deeper than ${JSON_DEPTH} levels; flatten it.`, placeIn(text, deep))
  const faults: ParseError[] = []
  const root = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  const [fault] = faults
  if (!root || fault) return refused('invalid_json', wordsOf(fault), placeIn(text, fault?.offset ?? 0))
  const errors: Finding[] = []
  const placed = new Map<Finding, number>()
  const value = jsonOf(root, [], (at, offset, code, message) => {
    const finding = { path: fieldOf(at), code, message }
    errors.push(finding)
    placed.set(finding, offset)
  })
  return { value, errors, placeOf: finding => placeIn(text, placed.get(finding) ?? offsetOf(root, finding)) }
}

/**
 * Most manifests are sound JSON, which the runtime reads ten times as fast; where things stand in the file is asked of those alone that have faults.
 * @returns undefined of a text that is not, is too deep, or has a member twice
 */
function readQuickly(text: string): Source | undefined {
  const members = membersIn(text)
  if (members === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  // A value has only one of two members with the same name.
  if (members !== membersOf(value)) return undefined
  let root: Node | undefined
  return {
    value,
    errors: [],
    placeOf: finding => {
      root ??= parseTree(text) as Node
      return placeIn(text, offsetOf(root, finding))
    },
  }
}

/** How many members the objects of a JSON text have; undefined where it is too deep. Of a text that is no JSON the number means nothing. */
function membersIn(text: string): number | undefined {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++)
    switch (text[at]) {
      case '"':
        at = endOfText(text, at + 1)
        break
      case '{':
      case '[':
        if (++depth > JSON_DEPTH) return undefined
        break
      case '}':
      case ']':
        depth--
        break
      case ':':
        members++
    }
  return members
}

function endOfText(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return inner.reduce<number>((sum, each) => sum + membersOf(each), Array.isArray(value) ? 0 : inner.length)
}

function refused(code: string, message: string, place: Place = { line: 1, column: 1 }): Source {
  return { value: undefined, errors: [{ path: '', code, message }], placeOf: () => place }
}

/** Reads tokens, and builds nothing: a text of brackets alone would exhaust the stack. @returns where it is too deep */
function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    // A token's first character tells a bracket from all else.
    const first = text[scanner.getTokenOffset()]
    if (first === '{' || first === '[') depth++
    else if (first === '}' || first === ']') depth--
    if (depth > JSON_DEPTH) return scanner.getTokenOffset()
  }
  return undefined
}

/** Faults in the words of a person who wrote the file. */
const WORDS: Record<string, string> = {
  InvalidSymbol: 'has a word here that is no JSON; texts stand in "double quotes".',
  InvalidNumberFormat: 'has a number here that is no JSON.',
  PropertyNameExpected: 'needs a name in "double quotes" here; the last member of an object has no comma behind it.',
  ValueExpected: 'needs a value here; the last entry of a list has no comma behind it.',
  ColonExpected: 'needs a colon here, between a name and its value.',
  CommaExpected: 'needs a comma here.',
  CloseBraceExpected: 'needs a } here.',
  CloseBracketExpected: 'needs a ] here.',
  EndOfFileExpected: 'goes on behind its end; one object is a manifest.',
  InvalidCommentToken: 'has a comment here, which JSON does not know; leave it out.',
  UnexpectedEndOfComment: 'has a comment here, which JSON does not know; leave it out.',
  UnexpectedEndOfString: 'has a text here that is not closed; line breaks in it are written \\n.',
  UnexpectedEndOfNumber: 'has a number here that is not finished.',
  InvalidUnicode: 'has a \\u here without four hex digits.',
  InvalidEscapeCharacter: 'has a backslash here before a character that needs none; a backslash itself is written \\\\.',
  InvalidCharacter: 'has a control character here; write it as \\n, \\t or \\u and four hex digits.',
}

const wordsOf = (fault: ParseError | undefined): string => (fault && WORDS[printParseErrorCode(fault.error)]) ?? 'is not JSON.'

type Tell = (at: (string | number)[], offset: number, code: string, message: string) => void

// The library's own would set the prototype by `__proto__`, and keep the last of two members with one name in silence.
function jsonOf(node: Node, at: (string | number)[], tell: Tell): unknown {
  if (node.type === 'array') return (node.children ?? []).map((child, index) => jsonOf(child, [...at, index], tell))
  if (node.type !== 'object') return node.value
  const members = new Map<string, unknown>()
  for (const { children: [key, child] = [] } of node.children ?? []) {
    if (!key || !child) continue
    const inner = [...at, key.value as string]
    if (members.has(key.value)) tell(inner, key.offset, 'duplicate', 'stands here twice; leave one out.')
    members.set(key.value, jsonOf(child, inner, tell))
  }
  return Object.fromEntries(members)
}

/** Codes of findings about a member's name rather than its value. */
const OF_NAMES = ['unknown_field', 'unknown_keyword', 'invalid_name', 'unexpected_enum_values']

function offsetOf(root: Node, { path, code }: Finding): number {
  let node = root
  let key: Node | undefined
  let rest = path
  while (rest !== '') {
    const next = step(node, rest)
    if (!next) break
    ;({ node, key, rest } = next)
  }
  return key && rest === '' && OF_NAMES.includes(code) ? key.offset : node.offset
}

/** One step of a path into the tree. A name may hold dots itself, so the longest that is there counts. */
function step(node: Node, path: string): { node: Node; key: Node | undefined; rest: string } | undefined {
  const [entry, index] = /^\[(\d+)\]/.exec(path) ?? []
  if (entry !== undefined) {
    const child = node.type === 'array' ? node.children?.[Number(index)] : undefined
    return child && { node: child, key: undefined, rest: path.slice(entry.length).replace(/^\./, '') }
  }
  const named = (node.type === 'object' ? (node.children ?? []) : [])
    .map(({ children: [key, child] = [] }) => ({ key, child, name: String(key?.value) }))
    .filter(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .sort((one, other) => other.name.length - one.name.length)[0]
  return named?.child && { node: named.child, key: named.key, rest: path.slice(named.name.length).replace(/^\./, '') }
}

function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
