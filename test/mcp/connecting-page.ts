// The page on connecting an assistant, made of the table of clients from which the page of integrations is made too: docs/agent/connecting.md.
import { type KnownClient, knownClients, type Step } from '../../src/ingress/mcp/known-clients.ts'

const ADDRESS = '{base_url}/api/mcp'

export const connectingPage = (): string => `# Connecting an AI assistant

You need the address of the [agent server](../agent.md), \`${ADDRESS}\`. Then there are two ways:

- **By signing in.** Give the assistant the address alone. It opens a page of this service in your browser, where you sign in and allow what it may do. It acts for you, as what you are in the workspace, and you end it on the page of your account. [OAuth 2.1](oauth.md) is what happens meanwhile.
- **With an agent key.** An admin makes one on the page *Integrations* of the dashboard, or by \`bin/shopdesk key create --tenant ten_… --kind mcp\`; it begins with \`mcp_\` and is shown once. It acts for the workspace. Use it for programs that run unattended, and for clients that cannot open a browser.

Use the address as it stands here, to the letter: a client that signs in compares it with the one that the service answers with, so \`localhost\` and \`127.0.0.1\` are two.

| Client | runs | signs in | takes a key |
|---|---|---|---|
${knownClients(ADDRESS)
  .map(({ name, from, key }) => `| [${name}](#${idOf(name)}) | ${WHERE[from]} | yes | ${key ? 'yes' : 'no'} |`)
  .join('\n')}

Those that run on the internet reach a service only at an \`https\` address that the internet can reach. The page *Integrations* has the same steps with your address in them, and links that open Cursor and VS Code with the entry filled in.

${knownClients(ADDRESS).map(section).join('\n\n')}

## Programs of your own

Any SDK of the Model Context Protocol connects, over its transport for streamable HTTP. In TypeScript:

\`\`\`ts
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const client = new Client({ name: 'my-program', version: '1.0.0' })
const requestInit = { headers: { Authorization: \`Bearer \${process.env.MCP_KEY}\` } }
await client.connect(new StreamableHTTPClientTransport(new URL('${ADDRESS}'), { requestInit }))
const { structuredContent } = await client.callTool({ name: 'get_orders', arguments: { status: 'pending' } })
\`\`\`

## Then

Ask something that only your shop knows, such as *"Which orders are pending?"*. Where it does not work, look for what you see on [troubleshooting](troubleshooting.md).
`

const WHERE = { internet: 'on the internet', 'your computer': 'on your computer' }

/** Of a heading, as the documentation gives them. */
const idOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const section = ({ name, oauth, key }: KnownClient): string => `## ${name}

### By signing in

${oauth.map(line).join('\n\n')}${key ? `\n\n### With a key\n\n${key.map(line).join('\n\n')}` : '\n\nIt takes no key.'}`

const line = (step: Step): string => (typeof step === 'string' ? step : `\`\`\`${step.language}\n${step.copy}\n\`\`\``)
