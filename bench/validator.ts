// A manifest judged: a large one in this process, and a small one from the command line, against its help.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkManifest } from '../src/apps/manifest/check.ts'
import { readSource } from '../src/apps/manifest/source.ts'
import { eventTypes } from '../src/catalog.ts'
import { median, verdict } from './compare.ts'

const ROUNDS = 15
const LARGE_BYTES = 200 * 1024
const LARGE_MS = 50
const TIMES_MAX = 1.3
const COMMAND = join(import.meta.dirname, '../bin/shopdesk')

export async function validator(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'validator-'))
  try {
    const guide = /```json\n(.*?)```/s.exec(readFileSync(join(import.meta.dirname, '../docs/apps/manifest.md'), 'utf8'))?.[1] as string
    judgeLarge(JSON.parse(guide))
    const file = join(folder, 'small.json')
    writeFileSync(file, guide)
    fromCommandLine(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** As many parts of each kind as there may be, filled up with knowledge. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON document
function large(guide: any, round: number): Buffer {
  const [resource] = guide.resources
  const [skill] = guide.skills
  const [flow] = guide.flows
  const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
  const more = (at: number) => ({
    code: { type: 'string', pattern: `^[A-Z]{2}-${round}-${at}-[0-9]{1,8}$`, description: 'As it is printed on the card.' },
    ...Object.fromEntries(many(8, n => [`member${n}`, { type: 'string', maxLength: 100, description: 'What the service knows of it.' }])),
  })
  const manifest = {
    ...guide,
    resources: many(20, at => ({
      ...resource,
      id: at ? `r${at}` : resource.id,
      fields: [...resource.fields, ...many(30, n => ({ name: `f${n}`, type: 'string' }))],
    })),
    skills: many(30, at => ({
      ...skill,
      id: at ? `s${at}` : skill.id,
      inputSchema: { ...skill.inputSchema, properties: { ...skill.inputSchema.properties, ...more(at) } },
      outputSchema: { type: 'object', properties: more(at) },
    })),
    flows: many(20, at => ({ ...flow, id: `f${at}` })),
  }
  const missing = LARGE_BYTES - JSON.stringify(manifest).length
  const text = 'Points are earned by orders. '.repeat(1_000).slice(0, 20_000)
  manifest.knowledge = many(Math.max(1, Math.ceil(missing / text.length)), at => ({ id: `k${at}`, title: 'Points', content: text }))
  return Buffer.from(JSON.stringify(manifest))
}

function judgeLarge(guide: unknown): void {
  const times: number[] = []
  let bytes = 0
  for (let at = 0; at < ROUNDS; at++) {
    // Each has patterns of its own: no compiled schema is found again.
    const file = large(guide, at)
    bytes = file.length
    const begun = performance.now()
    const { value } = readSource(file)
    const { errors } = checkManifest(value, { triggers: eventTypes, outbound: { allowPrivate: false, allowOrigins: [] } })
    times.push(performance.now() - begun)
    if (errors.length > 0) throw new Error(`the manifest is not right: ${JSON.stringify(errors[0])}`)
  }
  const [first = 0] = times
  console.log(`\nvalidator: a manifest of ${Math.round(bytes / 1024)} KB, read and judged`)
  const spread = `(${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}, the first ${first.toFixed(0)})`
  console.log(`  ${median(times).toFixed(1)} ms ${spread}, required under ${LARGE_MS} ms: ${verdict(median(times) < LARGE_MS)}`)
}

function fromCommandLine(file: string): void {
  const time = (...args: string[]): number => {
    const begun = performance.now()
    const { status } = spawnSync(COMMAND, args, { stdio: 'ignore' })
    if (status !== 0) throw new Error(`shopdesk ${args.join(' ')} ended with ${status}`)
    return performance.now() - begun
  }
  const sides: [number[], number[]] = [[], []]
  const ratios: number[] = []
  time('--help')
  time('app', 'validate', file)
  for (let at = 0; at < ROUNDS; at++) {
    const [left, right] = [time('--help'), time('app', 'validate', file)]
    sides[0].push(left)
    sides[1].push(right)
    ratios.push(right / left)
  }
  console.log('\nvalidator: a small manifest from the command line')
  console.log(`  shopdesk --help        ${median(sides[0]).toFixed(0)} ms`)
  console.log(`  shopdesk app validate  ${median(sides[1]).toFixed(0)} ms`)
  const spread = `(${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`
  console.log(`  ratio ${median(ratios).toFixed(2)} × ${spread}, required at most ${TIMES_MAX} ×: ${verdict(median(ratios) <= TIMES_MAX)}`)
}
