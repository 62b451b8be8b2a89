// Writes the tools as clients are told of them, golden.json, and as people read of them, docs/agent/tools.md; and how clients are connected,
// docs/agent/connecting.md: after a change on purpose. The difference is to be read by a person.
import { writeFileSync } from 'node:fs'
import { agentTools } from '../../src/catalog.ts'
import { listingOf } from '../../src/ingress/mcp/catalogue.ts'
import { connectingPage } from './connecting-page.ts'
import { toolsPage } from './tools-page.ts'

const tools = await agentTools()
const listing = JSON.parse(listingOf(tools)({ scopes: ['read', 'write'], role: 'admin' }).toString())
writeFileSync(new URL('./golden.json', import.meta.url), `${JSON.stringify(listing, null, 2)}\n`)
writeFileSync(new URL('../../docs/agent/tools.md', import.meta.url), toolsPage(tools))
writeFileSync(new URL('../../docs/agent/connecting.md', import.meta.url), connectingPage())
