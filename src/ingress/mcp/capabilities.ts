// What the agent server does for no client: money, access and people stay with the sales agent and the dashboard. None of it is listed, and a
// call by any name for it is refused as a capability rather than as an unknown tool.
import { wordsOf } from './names.ts'

interface Family {
  /** The names by which it is asked for. A name with all words of one of them belongs to it, in whatever order and beside whatever others. */
  names: readonly string[]
  /** Names that belong to it as they are, and not with other words beside: `add_order`, but not `add_order_note`. */
  bare?: readonly string[]
  /** A word of any other name that belongs to it, in the singular. */
  words: readonly string[]
}

const UNAVAILABLE: Record<string, Family> = {
  'orders.create': {
    names: ['create_order', 'place_order', 'submit_order', 'order_creation'],
    bare: ['new_order', 'add_order', 'make_order'],
    words: [],
  },
  payments: { names: ['take_payment', 'refund_order'], words: ['payment', 'refund', 'charge', 'pay', 'payout'] },
  apps: { names: ['install_app', 'uninstall_app'], words: ['app', 'install', 'uninstall'] },
  scopes: { names: ['change_scopes'], words: ['scope'] },
  credentials: {
    names: ['set_credentials', 'create_api_key'],
    words: ['credential', 'secret', 'key', 'apikey', 'webhook', 'token', 'password'],
  },
  billing: { names: ['billing', 'upgrade_plan'], words: ['billing', 'plan', 'subscription'] },
  team: { names: ['manage_team', 'invite_member'], words: ['team', 'member', 'user', 'role', 'invite', 'invitation'] },
}

/** The capability that a tool of this name would have, if it is one of those; a listed tool's name is not asked about. */
export function capabilityOf(name: string): string | undefined {
  const words = wordsOf(name).flatMap(apart)
  const isNamed = ({ names, bare = [] }: Family): boolean =>
    names.some(known => holds(words, known)) || bare.some(known => words.length === 2 && holds(words, known))
  const families = Object.entries(UNAVAILABLE)
  const named = families.find(([, each]) => isNamed(each))
  return (named ?? families.find(([, each]) => each.words.some(word => words.includes(word))))?.[0]
}

const holds = (words: string[], known: string): boolean => wordsOf(known).every(word => words.includes(word))

const KINDS = new Set(['order', ...Object.values(UNAVAILABLE).flatMap(each => each.words)])
const DEEDS =
  'create place submit new add make take give set get list change update edit delete remove revoke rotate issue install uninstall upgrade cancel manage invite grant'.split(
    ' ',
  )

/** `createorder` and `ordercreate` are written without anything between their words: the deed and what it is done to. */
function apart(word: string): string[] {
  for (const deed of DEEDS) {
    if (word.startsWith(deed) && KINDS.has(word.slice(deed.length))) return [deed, word.slice(deed.length)]
    if (word.endsWith(deed) && KINDS.has(word.slice(0, -deed.length))) return [word.slice(0, -deed.length), deed]
  }
  return [word]
}
