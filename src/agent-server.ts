// The agent server of a web process: tools, credentials and instructions, put together when it is first asked for.
import type { Logger } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { agentKeys } from './access/agent-keys.ts'
import { instructions } from './assistant/instructions.ts'
import { agentTools } from './catalog.ts'
import type { Config } from './config.ts'
import type { Ref } from './ids.ts'
import type { LongReads } from './ingress/long-reads.ts'
import { type AgentHttp, type AgentHttpOptions, createAgentHttp } from './ingress/mcp/http.ts'
import { createAgentServer } from './ingress/mcp/server.ts'
import { accessTokens } from './oauth/access-tokens.ts'
import type { Database } from './postgres/sql.ts'

export interface AgentServerOptions {
  config: Pick<Config, 'baseUrl' | 'mcpVersions'>
  db: Database
  log: Logger
  longReads: LongReads
  recognise: AgentHttpOptions['recognise']
  /** Told of each use of a key. */
  used: (key: Ref) => void
  /** Told of each use of a grant. */
  usedGrant: (grant: Ref) => void
}

export async function openAgentServer({ config, db, log, longReads, recognise, used, usedGrant }: AgentServerOptions): Promise<AgentHttp> {
  const server = createAgentServer({
    about: { versions: config.mcpVersions, version: packageJson.version },
    tools: await agentTools(),
    instructions: caller => instructions(db.listLanes, caller),
    db,
    log,
    longReads,
  })
  return createAgentHttp({
    baseUrl: config.baseUrl,
    credentials: [agentKeys(db.pointLane, used), accessTokens(db.pointLane, usedGrant)],
    server,
    log,
    recognise,
  })
}
