// Fails when npm knows of a vulnerability of severity high or critical in a package that the service ships with. A registry that cannot be asked is
// a warning: some have no such service, and a check that fails for that would be switched off.
import { spawnSync } from 'node:child_process'

interface Report {
  vulnerabilities?: Record<string, { severity: string; range: string; via: (string | { title: string; url: string })[] }>
  /** Where it could not be asked. */
  statusCode?: number
  error?: { code?: string }
}

const GRAVE = ['high', 'critical']
/** npm's own would try for minutes where nothing answers. */
const PATIENCE = ['--fetch-retries=0', '--fetch-timeout=20000']

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', ...PATIENCE], { encoding: 'utf8' })
const { vulnerabilities, statusCode, error } = parsed(stdout)
if (!vulnerabilities) {
  const reason = statusCode ? `the registry answered ${statusCode}` : (error?.code ?? 'npm gave no report')
  console.warn(`WARNING: npm audit could not be asked, so known vulnerabilities were not looked for (${reason}).`)
} else {
  const grave = Object.entries(vulnerabilities).filter(([, { severity }]) => GRAVE.includes(severity))
  for (const [name, { severity, range, via }] of grave)
    console.error(
      `${name} ${range}: ${severity}; ${via.map(each => (typeof each === 'string' ? `by ${each}` : `${each.title}, ${each.url}`)).join('; ')}`,
    )
  if (grave.length > 0) process.exit(1)
  console.log('npm audit knows of no grave vulnerability in what the service ships with.')
}

function parsed(text: string): Report {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
