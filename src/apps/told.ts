// What an install changes, in lines for people.
import { styleText } from 'node:util'
import type { Changed, Changes } from './changes.ts'

const PARTS = ['resources', 'skills', 'views', 'knowledge', 'config', 'flows'] as const

/** @returns no lines where nothing changes */
export function linesOf({ version, scopes, ...parts }: Changes): string[] {
  const lines = [
    ...scopes.added.map(scope => added(`scope ${scope}`)),
    ...scopes.removed.map(scope => removed(`scope ${scope}`)),
    ...PARTS.flatMap(part => linesOfPart(part, parts[part])),
  ]
  return version.from !== null && version.from !== version.to ? [`  version ${version.from} becomes ${version.to}`, ...lines] : lines
}

const linesOfPart = (part: string, changed: Changed): string[] => [
  ...changed.added.map(id => added(`${part} ${id}`)),
  ...changed.changed.map(id => `  ~ ${part} ${id}`),
  ...changed.removed.map(id => removed(`${part} ${id}`)),
]

const added = (what: string): string => styleText('green', `  + ${what}`)
const removed = (what: string): string => styleText('red', `  - ${what}`)
