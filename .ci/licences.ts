// Fails when the service would ship with a package whose licence asks for more than to be named: copyleft, unknown, or none at all.
// Reads package-lock.json, which lists the packages of every platform; where npm left a licence out, the installed package says it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Permissive ones, by their SPDX names: each asks for its own text and a name at most. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
])

interface Locked {
  dev?: boolean
  license?: string
}

const [folder = '.'] = process.argv.slice(2)
const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
const refused = production
  .map(([path, { license }]) => ({ path, licence: license ?? installedLicence(path) }))
  .filter(each => !isAllowed(each.licence))

for (const { path, licence } of refused)
  console.error(
    `${path.replace(/^.*node_modules\//, '')} (${path}) is under ${licence ?? 'no licence that could be found'}; .ci/licences.ts does not allow that.`,
  )
if (refused.length > 0) process.exit(1)
console.log(`The licences of ${production.length} production packages are all permissive.`)

function installedLicence(path: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')) as Locked).license
  } catch {
    return undefined
  }
}

// Of alternatives one suffices, of a combination each counts. What is nested deeper is for a person to read.
function isAllowed(expression: unknown): boolean {
  if (typeof expression !== 'string') return false
  const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some(each => each.split(' AND ').every(name => ALLOWED.has(name)))
}
