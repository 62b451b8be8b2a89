// How people connect the clients that they are likely to have: the one table of them, from which the page of integrations and the documentation render.

/** A sentence, in which `…` stands around what is typed or read as it is; or a text to be taken to the client. */
export type Step = string | { copy: string; label: string; language: 'sh' | 'json' | 'text' }

export interface KnownClient {
  /** As part of an address on a page. */
  id: string
  name: string
  /** Where it runs. `internet`: at its maker's, so that this service must be reachable from there by https. */
  from: 'internet' | 'your computer'
  /** What it asks a person for is told to it by signing in, and no key is needed. */
  oauth: Step[]
  /** With a key. Undefined: it takes none. */
  key: Step[] | undefined
  /** Opens the client with the entry filled in, where it is installed: without a key. */
  install?: string
}

/** Stands for a key where none is at hand. */
const KEY_SAMPLE = 'mcp_…'

/** What clients call the service in their own lists. */
const NAME = 'shopdesk'

/**
 * The clients, in the order in which they are shown.
 * @param address of the agent server
 * @param key that is filled in
 */
export const knownClients = (address: string, key: string = KEY_SAMPLE): KnownClient[] => [
  {
    id: 'claude',
    name: 'Claude, on the web and on the desktop',
    from: 'internet',
    oauth: [
      'Open Settings, Connectors, and choose “Add custom connector”. In a plan for teams an owner does that, in the settings of the organisation.',
      'Name it Shopdesk, and give it this address:',
      { copy: address, label: 'The address', language: 'text' },
      'Choose “Connect”, sign in here, and allow what it may do.',
    ],
    key: undefined,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    from: 'your computer',
    oauth: [
      'In a terminal:',
      command(`claude mcp add --transport http ${NAME} ${address}`),
      'Then type `/mcp` in Claude Code, choose shopdesk and “Authenticate”: a browser opens, in which you sign in and allow what it may do.',
    ],
    key: [
      'In a terminal:',
      command(`claude mcp add --transport http ${NAME} ${address} --header "Authorization: Bearer ${key}"`),
      '`claude mcp list` says whether it is connected.',
    ],
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    from: 'internet',
    oauth: [
      'Open Settings, Connectors, Advanced, and switch on “Developer mode”. In a plan for teams an admin has to permit it first.',
      'Back in Connectors choose “Create”, name it Shopdesk, choose OAuth, and give it this address:',
      { copy: address, label: 'The address', language: 'text' },
      'Sign in here, and allow what it may do. In a new chat, switch it on in the menu beside the field for messages.',
    ],
    key: undefined,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    from: 'your computer',
    oauth: [
      'In `.cursor/mcp.json` of a project, or in `~/.cursor/mcp.json` for all of them:',
      file('.cursor/mcp.json', { mcpServers: { [NAME]: { url: address } } }),
      'In the settings of Cursor, beside shopdesk, choose to sign in: a browser opens, in which you allow what it may do.',
    ],
    key: [
      'The key stands in the file: take `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project that you alone can read.',
      file('.cursor/mcp.json', { mcpServers: { [NAME]: { url: address, headers: { Authorization: `Bearer ${key}` } } } }),
    ],
    install: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify({ url: address })))}`,
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    from: 'your computer',
    oauth: [
      'In `.vscode/mcp.json` of a project:',
      file('.vscode/mcp.json', { servers: { [NAME]: { type: 'http', url: address } } }),
      'Choose “Start” above the entry: a browser opens, in which you sign in and allow what it may do.',
    ],
    key: [
      'In `.vscode/mcp.json` of a project. VS Code asks for the key once and keeps it in a store of its own, so the file can be shared:',
      file('.vscode/mcp.json', {
        inputs: [{ type: 'promptString', id: 'shopdesk-key', description: 'Agent key of Shopdesk', password: true }],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code's own
        servers: { [NAME]: { type: 'http', url: address, headers: { Authorization: 'Bearer ${input:shopdesk-key}' } } },
      }),
      'When it asks, paste this:',
      { copy: key, label: 'The key', language: 'text' },
    ],
    install: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: NAME, type: 'http', url: address }))}`,
  },
  {
    id: 'others',
    name: 'Clients that only start programs',
    from: 'your computer',
    oauth: [
      '`mcp-remote` is such a program, and hands on what it is told. It needs Node.js, and opens a browser in which you sign in:',
      file('mcp.json', { mcpServers: { [NAME]: { command: 'npx', args: ['-y', 'mcp-remote', address, ...plainly(address)] } } }),
    ],
    key: [
      '`mcp-remote` is such a program, and hands on what it is told. It needs Node.js:',
      file('mcp.json', {
        mcpServers: {
          [NAME]: {
            command: 'npx',
            // Some clients on Windows cut an argument at its blank, so that stands in the environment.
            // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote's own
            args: ['-y', 'mcp-remote', address, ...plainly(address), '--header', 'Authorization:${SHOPDESK_AUTH}'],
            env: { SHOPDESK_AUTH: `Bearer ${key}` },
          },
        },
      }),
    ],
  },
]

// By http it goes to these two hosts alone, unless it is told to.
const plainly = (address: string): string[] => (/^http:\/\/(?!(localhost|127\.0\.0\.1)[:/])/.test(address) ? ['--allow-http'] : [])

function command(text: string): Step {
  return { copy: text, label: 'The command', language: 'sh' }
}

function file(name: string, entry: object): Step {
  return { copy: JSON.stringify(entry, null, 2), label: name, language: 'json' }
}

/** Whether clients that run at their maker's can reach a service at this address: https, and no name or number of a single machine or network. */
export function isReachable(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'https:') return false
  return (
    hostname.includes('.') &&
    !/^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|\.(local|internal|lan|home|localhost|test)$/.test(hostname)
  )
}
