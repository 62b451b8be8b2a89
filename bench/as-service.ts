// The address under which the processes of a benchmark connect: as web and worker do in production.
import { type Embedded, SERVICE_ROLE } from '../src/postgres/embedded/embedded.ts'
import { migrate } from '../src/postgres/migrate.ts'

/** @param url a database of the benchmarks' own, as its owner. With a server of DATABASE_URL it stays as it is. */
export async function asService(url: string, embedded: Embedded | undefined): Promise<string> {
  if (!embedded) return url
  await migrate(url, SERVICE_ROLE)
  return new URL(new URL(url).pathname, embedded.serviceUrl).href
}
