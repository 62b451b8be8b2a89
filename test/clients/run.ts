// `npm run test:clients`: installs the clients that package-lock.json beside this names, checks the types, and runs the files of this folder as
// `npm test` runs its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../src/config.ts'

/** sysexits.h: EX_TEMPFAIL. Nothing was tested, and that is nobody's fault here. */
const NOT_REACHED = 75
/** A registry that has not given all of it by then is as good as none. */
const INSTALL_MAX_MS = 150_000
/** What npm ends with where a registry does not answer, or not with packages. */
const REGISTRY_ERRORS =
  /npm error code (E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|NOTCACHED|4\d\d|5\d\d)|\w*TIMEOUT)/

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = join(folder, '..', '..')
const [wanted, installed] = ['package-lock.json', 'node_modules/.installed'].map(name => join(folder, name)) as [string, string]

process.exit((await install()) || (await run('tsc', ['--noEmit', '-p', folder])) || (await runTests()))

/** Once for each package-lock.json, in some 20 s. */
async function install(): Promise<number> {
  if (textOf(wanted) === textOf(installed)) return 0
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-timeout=30000']
  const child = spawn('npm', ['ci', '--prefix', folder, ...flags], { cwd: folder, stdio: ['ignore', 2, 'pipe'], timeout: INSTALL_MAX_MS })
  const { code, errors } = await ended(child)
  if (code === 0) {
    copyFileSync(wanted, installed)
    return 0
  }
  process.stderr.write(errors)
  if (child.killed || REGISTRY_ERRORS.test(errors)) {
    console.error('test:clients: the registry could not be reached, so the clients were not installed and not tried.')
    return NOT_REACHED
  }
  return code
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** With the certificate of the https service trusted by every process, clients and service alike. */
function runTests(): Promise<number> {
  const files = process.argv.slice(2)
  return run(process.execPath, [join(root, 'test/support/run.ts'), ...(files.length > 0 ? files : ['test/clients/*.clients.ts'])])
}

async function run(command: string, args: string[]): Promise<number> {
  const env = childEnvironment({ NODE_EXTRA_CA_CERTS: join(root, 'test/support/receiver-test-only.cert.pem') })
  return (await ended(spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }))).code
}

async function ended(child: ChildProcess): Promise<{ code: number; errors: string }> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code: code ?? 128 + constants.signals[signal as NodeJS.Signals], errors }
}
