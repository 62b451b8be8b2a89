// Which files of tests share a process. A process pays two thirds of a second for what it loads, and runs all code slowly at first: that was a
// third of what the tests cost. So only those files have one of their own that need it. The database of a file is its own all the same.
import { globSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Files of a group, at most: what earlier files of a process leave behind is that of this many. */
export const GROUP_MAX = 16
/** Fewer would pay more for their process than for themselves; more would leave a core without work at the end. */
const GROUP_MIN = 5
/** A group takes this part of the files that are left, so groups become smaller: with a large one last, a core would have nothing to do. */
const SHARE = 1 / 5
/** In the order in which they begin, by turns with groups. */
const ALONE = [
  // They take half a minute and more, most of which they wait for processes that they start: with one of them last a core would have nothing to do.
  /^test\/journeys\/chaos-(?!beside)/,
  /^test\/ingress\/(property|hostile)\.test/,
  /^test\/(start|supervise|install|program)\.test/,
  /^test\/(conversations\/takeover|events\/restored|postgres\/plans|webhooks\/large-events)\.test/,
  /^test\/queue\/(deaths|outage|queue|standing|takeover)\.test/,
  // It holds deliveries to seconds, which the first files do not have: they compile what all processes load.
  /^test\/journeys\/chaos-beside/,
  // They measure or bound what their process holds.
  /^test\/(attachments\/crash|builder\/(generate|sandbox)|imports\/hostile|outbound\/streams|records\/slots|skills\/call)\.test/,
  // As their authors run them.
  /^examples\//,
  // `npm run test:clients`.
  /^test\/clients\//,
]

/** They begin early too, for most of them wait, and one after another: each leaves the next a process that is warm. */
const LINES = [
  /^test\/chat\/(widget|network)\.test/,
  /^test\/queue\//,
  /^test\/(bare|command-line)\.test/,
  /^test\/(outbound\/names|webhooks\/(clocks|outages|shares|slots))\.test/,
]

const ALL = ['test/**/*.test.ts', 'examples/**/*.test.ts']

/**
 * @param named the files to run, or patterns of them. None: all tests
 * @returns groups of paths from the root of the clone
 * @throws Error a name or a pattern is that of no file
 */
export function groupsOf(named: string[]): string[][] {
  const patterns = (named.length > 0 ? named : ALL).map(each => relative('.', resolve(each)))
  const ofNone = patterns.find(each => globSync(each).length === 0)
  if (ofNone) throw new Error(`There is no file of tests ${ofNone}.`)
  const files = globSync(patterns).sort()
  const alone = ALONE.flatMap(pattern => files.filter(each => pattern.test(each)))
  const shared = files.filter(each => !alone.includes(each))
  const lines = LINES.map(pattern => shared.filter(each => pattern.test(each))).filter(line => line.length > 0)
  const others = shared.filter(each => !lines.flat().includes(each))
  return byTurns(
    alone.map(each => [each]),
    [...lines, ...split(others)],
  )
}

// Those alone wait for most of their time, so the cores have work for groups meanwhile.
function byTurns(some: string[][], others: string[][]): string[][] {
  const turns = Array.from({ length: Math.max(some.length, others.length) }, (_, i) => [some[i], others[i]])
  return turns.flat().filter(group => group !== undefined)
}

function split(files: string[]): string[][] {
  if (files.length === 0) return []
  const size = Math.max(GROUP_MIN, Math.min(GROUP_MAX, Math.ceil(files.length * SHARE)))
  return [files.slice(0, size), ...split(files.slice(size))]
}

/** Writes a script for each group into the folder. node:test runs them in the order of their names. @returns their paths */
export function writeScripts(groups: string[][], folder: string): string[] {
  const [direct, helper] = ['bin/direct.mjs', 'test/support/together.ts'].map(each => pathToFileURL(resolve(each)))
  return groups.map((group, index) => {
    const path = join(folder, `${String(index + 1).padStart(3, '0')}-${basename(group[0] as string)}`)
    writeFileSync(path, `import '${direct}'\nconst { together } = await import('${helper}')\nawait together(${JSON.stringify(group)})\n`)
    return path
  })
}
