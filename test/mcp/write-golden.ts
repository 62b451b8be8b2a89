// Writes golden.json, the tools as clients are told of them: after a change on purpose. The difference is to be read by a person.
import { writeFileSync } from 'node:fs'
import { agentTools } from '../../src/catalog.ts'
import { listingOf } from '../../src/ingress/mcp/catalogue.ts'

const listing = JSON.parse(listingOf(await agentTools())({ scopes: ['read', 'write'], role: 'admin' }))
writeFileSync(new URL('./golden.json', import.meta.url), `${JSON.stringify(listing, null, 2)}\n`)
