// The servers under load, each a process of its own as in production.
import { type Reporting, startScript, startShopdesk } from '../test/support/processes.ts'
import { type Dataset, SECRET_KEY } from './dataset.ts'

export interface Server extends Pick<Reporting, 'pid' | 'resident' | 'stop'> {
  address: string
}

/** `bin/shopdesk web`, as an operator runs it. @param more of its settings */
export const startWeb = (dataset: Pick<Dataset, 'databaseUrl'>, more: Record<string, string> = {}): Promise<Server> =>
  served(startShopdesk('web', { ...settingsOf(dataset), ...more }, 'passed on'))

/** `bin/shopdesk worker`, likewise. */
export const startWorker = (dataset: Pick<Dataset, 'databaseUrl'>): Promise<Server> =>
  served(startShopdesk('worker', settingsOf(dataset), 'passed on'))

/** The baseline: see bare-server.ts. */
export const startBare = (dataset: Dataset): Promise<Server> =>
  served(startScript(new URL('./bare-server.ts', import.meta.url), [], settingsOf(dataset)))

const settingsOf = ({ databaseUrl }: Pick<Dataset, 'databaseUrl'>) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
})

async function served(starting: Promise<Reporting>): Promise<Server> {
  const child = await starting
  return { ...child, address: String(child.ready) }
}
