// The flows of the guide, each with the scopes that it names.
import { readFileSync } from 'node:fs'
import type { Flow, Manifest } from '../../src/apps/manifest/shape.ts'
import { aManifest } from '../support/apps.ts'

export interface Recipe {
  title: string
  scopes: Manifest['scopes']
  flow: Flow
}

const page = readFileSync('docs/apps/flows.md', 'utf8')

export const recipes: Recipe[] = page
  .slice(page.indexOf('## Ten recipes'))
  .split(/^\d+\. /m)
  .slice(1)
  .map(text => {
    const [title = ''] = text.split('\n')
    return {
      title,
      scopes: [...title.matchAll(/`([a-z]+:[a-z._]+)`/g)].map(([, scope]) => scope as Manifest['scopes'][number]),
      flow: JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as Flow,
    }
  })

/** An app of these recipes, with the skill and the resource that they name. */
export function manifestOf(chosen: Recipe[], origin = 'https://points.example'): Manifest {
  const scopes = [...new Set(chosen.flatMap(each => each.scopes))]
  const calls = chosen.some(({ flow }) => flow.steps.some(({ type }) => type === 'call_skill'))
  return aManifest({
    scopes,
    flows: chosen.map(({ flow }) => flow),
    ...(scopes.includes('write:records') && {
      resources: [{ id: 'notes', name: 'Notes', fields: [{ name: 'text', type: 'string' }] }],
    }),
    ...(calls && {
      skills: [{ id: 'award', name: 'Award', description: 'Awards points.', endpoint: `${origin}/award`, inputSchema: { type: 'object' } }],
    }),
  })
}
