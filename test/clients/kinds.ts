// The libraries by which programs speak with the agent server, each used as its documentation says, behind what the tests ask of all of them.
import { auth, createMCPClient } from '@ai-sdk/mcp'
import { jsonSchema } from '@ai-sdk/provider-utils'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Ajv2020 } from 'ajv/dist/2020.js'

// biome-ignore lint/suspicious/noExplicitAny: each library has types of its own for what is the same here
type Any = any

export interface Connection {
  /** The names of the tools. */
  tools(): Promise<string[]>
  /** The client compares the result with the tool's output schema, and throws where it does not fit. */
  call(name: string, args: Record<string, unknown>): Promise<Result>
  /** As agreed with the server. */
  version(): string | undefined
  instructions(): string | undefined
  close(): Promise<void>
}

export interface Result {
  isError?: boolean
  structuredContent?: Any
  content?: { type: string; text: string }[]
}

/** By a key, or by an OAuth provider of the client's own form. */
export interface Means {
  key?: string
  provider?: Any
}

export interface Kind {
  name: string
  connect(url: URL, means: Means): Promise<Connection>
  /** Hands the code to the provider, which asks for tokens. */
  finish(url: URL, provider: Any, brought: URLSearchParams): Promise<void>
}

const ABOUT = { name: 'a test', version: '1.0.0' }
const headersOf = ({ key }: Means) => (key === undefined ? {} : { Authorization: `Bearer ${key}` })

function sdk(name: string, Client: Any, Transport: Any, options: object): Kind {
  const transportTo = (url: URL, means: Means) =>
    new Transport(url, { requestInit: { headers: headersOf(means) }, ...(means.provider && { authProvider: means.provider }) })
  return {
    name,
    async connect(url, means) {
      const client = new Client(ABOUT, options)
      const transport = transportTo(url, means)
      await client.connect(transport)
      await client.ping()
      return {
        tools: async () => (await client.listTools()).tools.map((each: { name: string }) => each.name),
        call: (tool, args) => client.callTool({ name: tool, arguments: args }),
        version: () => transport.protocolVersion,
        instructions: () => client.getInstructions(),
        close: () => client.close(),
      }
    },
    finish: (url, provider, brought) => transportTo(url, { provider }).finishAuth(Client === Client1 ? brought.get('code') : brought),
  }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** As a program of the AI SDK states what it expects: by a schema, and what compares. */
function checked(schema: Any) {
  const validate = ajv.compile(schema)
  return jsonSchema<Any>(schema, {
    validate: value => (validate(value) ? { success: true, value } : { success: false, error: new Error(ajv.errorsText(validate.errors)) }),
  })
}

const aiSdk: Kind = {
  name: '@ai-sdk/mcp',
  async connect(url, means) {
    const client = await createMCPClient({
      transport: { type: 'http', url: url.href, headers: headersOf(means), ...(means.provider && { authProvider: means.provider }) },
    })
    const listed = (await client.listTools()).tools
    const schemas = Object.fromEntries(
      listed.map(({ name, inputSchema, outputSchema }) => [
        name,
        { inputSchema: checked(inputSchema), outputSchema: checked(outputSchema ?? false) },
      ]),
    )
    const tools: Any = await client.tools({ schemas })
    return {
      tools: async () => listed.map(each => each.name),
      call: async (tool, args) => ({ structuredContent: await tools[tool].execute(args, { messages: [], toolCallId: 'one' }) }),
      version: () => undefined,
      instructions: () => client.instructions,
      close: () => client.close(),
    }
  },
  async finish(url, provider, brought) {
    await auth(provider, {
      serverUrl: url,
      authorizationCode: brought.get('code') ?? '',
      callbackState: brought.get('state') ?? '',
    } as Any)
  },
}

export const KINDS: Kind[] = [
  sdk('SDK 1', Client1, Transport1, {}),
  sdk('SDK 2', Client2, Transport2, {}),
  sdk('SDK 2, which discovers', Client2, Transport2, { versionNegotiation: { mode: 'auto' } }),
  aiSdk,
]
