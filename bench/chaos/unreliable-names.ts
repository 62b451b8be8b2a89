// Names that cannot be relied on, by the kind of their trouble, and the name servers that answer for them.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type NameServer, type Said, startNameServer } from '../../test/support/name-server.ts'

export type Kind = 'never answered' | 'answered after 2 s' | 'unknown' | 'failing' | 'never kept' | 'moving' | 'hundreds'

const HERE = '127.0.0.1'
/** An address of this machine as well, but nothing listens there. */
export const NOWHERE = '127.0.0.2'
const NXDOMAIN = 3
const SERVFAIL = 2

/** The name server's answers for them. */
export const KINDS: Record<Kind, { times?: number; say(asked: number): Said }> = {
  'never answered': { say: () => undefined },
  'answered after 2 s': { say: () => ({ addresses: [HERE], ttl: 0, afterMs: 2_000 }) },
  unknown: { say: () => NXDOMAIN },
  failing: { say: () => SERVFAIL },
  'never kept': { say: () => ({ addresses: [HERE], ttl: 0 }) },
  moving: { say: asked => ({ addresses: [asked % 2 === 0 ? HERE : NOWHERE], ttl: 0 }) },
  hundreds: { times: 6, say: () => ({ addresses: [HERE], ttl: 0 }) },
}
export const KIND_NAMES = Object.keys(KINDS) as Kind[]
/** Two servers are asked once each: as long as a look-up may take in all. */
const OPTIONS = 'options timeout:3 attempts:1'

export interface Names {
  servers: NameServer[]
  /** The settings of a worker that asks them. */
  settings: Record<string, string>
}

export async function openNames(): Promise<Names> {
  let moves = 0
  const say = (name: string, type: string): Said => {
    const kind = KIND_NAMES[Number(/^k(\d+)-/.exec(name)?.[1] ?? -1)]
    if (kind) return KINDS[kind].say(type === 'A' ? moves++ : moves)
    // As short as may be: it is asked for again every 5 s.
    return { addresses: [HERE], ttl: 0 }
  }
  const servers = [await startNameServer(say), await startNameServer(say)]
  const [{ files }] = servers as [NameServer]
  writeFileSync(files.resolvConf, [...servers.map(({ address }) => `nameserver ${address}`), OPTIONS, ''].join('\n'))
  return {
    servers,
    settings: {
      NODE_OPTIONS: `--import=${new URL('../../test/support/own-names.ts', import.meta.url).href}`,
      NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../../test/support/receiver-test-only.cert.pem', import.meta.url)),
      OWN_RESOLV_CONF: files.resolvConf,
      OWN_HOSTS: files.hosts,
    },
  }
}
/** The others have the names of their workspaces, and the kinds their numbers. */
export const askedOf = ({ servers }: Names, kinds: Kind[]): string[] =>
  servers.flatMap(({ asked }) => asked).filter(question => kinds.some(kind => question.startsWith(`k${KIND_NAMES.indexOf(kind)}-`)))
