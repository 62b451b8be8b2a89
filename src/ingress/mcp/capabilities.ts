// What the agent server never does, whoever asks: money, access and people stay with the sales agent and the dashboard. None of it is listed, and a
// call by any name for it is refused as a capability rather than as an unknown tool.

interface Family {
  /** The names by which it is asked for. */
  names: readonly string[]
  /** A word of any other name that belongs to it, in the singular. */
  words: readonly string[]
}

const UNAVAILABLE: Record<string, Family> = {
  'orders.create': { names: ['create_order', 'place_order'], words: [] },
  payments: { names: ['take_payment', 'refund_order'], words: ['payment', 'refund', 'charge'] },
  apps: { names: ['install_app', 'uninstall_app'], words: ['app'] },
  scopes: { names: ['change_scopes'], words: ['scope'] },
  credentials: { names: ['set_credentials', 'create_api_key'], words: ['credential', 'secret', 'key', 'webhook'] },
  billing: { names: ['billing', 'upgrade_plan'], words: ['billing', 'plan', 'subscription'] },
  team: { names: ['manage_team', 'invite_member'], words: ['team', 'member', 'user', 'role'] },
}

/** The capability that a tool of this name would have, if it is one of those; a listed tool's name is not asked about. */
export function capabilityOf(name: string): string | undefined {
  const words = wordsOf(name)
  const plain = words.join('_')
  const families = Object.entries(UNAVAILABLE)
  const named = families.find(([, each]) => each.names.some(known => plain === wordsOf(known).join('_')))
  return (named ?? families.find(([, each]) => each.words.some(word => words.includes(word))))?.[0]
}

// `createOrder`, `create-orders` and `orders.create` are names of one kind. Longer names than any tool's are cut.
const wordsOf = (name: string): string[] =>
  name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map(word => word.replace(/(?<=..)s$/, ''))
