// `shopdesk app call` and `shopdesk app calls`: for authors who try a skill, and for all who look at what came of calls.
import { type Command, Option } from 'commander'
import { type Installed, idOfApp, installedApp } from '../apps/installed.ts'
import { instead, listAsked, listOptions } from '../cli/options.ts'
import { type Column, type Json, show, showLines, showPage } from '../cli/output.ts'
import { printable } from '../cli/printable.ts'
import { givenSecret, SECRET_FORMS } from '../cli/secret.ts'
import { watch } from '../cli/watch.ts'
import { OperatorError } from '../errors.ts'
import { isJsonObject } from '../json.ts'
import { meant } from '../nearest.ts'
import { notFound } from '../problems.ts'
import { example, found, inTenant, type Options, tenantCommand } from '../tenants/tenant-command.ts'
import * as log from './log-store.ts'
import { callListing, callQuery } from './schema.ts'

/** Adds the commands to those of apps. */
export function skillCommands(program: Command): void {
  const app = program.commands.find(each => each.name() === 'app') as Command
  const call = tenantCommand(app, 'call', 'call a skill of an app, as the assistant and flows do, and show what was asked and answered')
    .argument('<app>', 'the app, app_… or the id of its manifest')
    .argument('<skill>', 'the id of the skill')
    .requiredOption('--args <json>', `its arguments, a JSON object; ${SECRET_FORMS}`)
    .action(callOnce)
  example(call, `acme:loyalty award --args '{"points":12}'`)

  const calls = tenantCommand(app, 'calls <app>', 'the calls of an app’s skills in the last 30 days, the newest first')
  example(
    listOptions(calls, callQuery)
      .option('--skill-id <id>', 'only of this skill')
      .addOption(new Option('--failed', 'only those without an output').conflicts('stage'))
      .addOption(instead('--call <id>', 'one call, call_…, with its request, its answer and its attempts', callQuery))
      .addOption(instead('--follow', 'show calls as they end, with request, answer and reason, until Ctrl-C', callQuery)),
    'acme:loyalty --failed',
    'acme:loyalty --follow',
  ).action(showCalls)
}

async function callOnce(name: string, skill: string, { tenant, args = '', json }: Options): Promise<void> {
  const given = argumentsOf(givenSecret('args', args))
  const [{ createClient }, { trySkill }, { UNWATCHED }, { UNSTOPPED }, { createPlaces }] = await Promise.all([
    import('../outbound/client.ts'),
    import('./trial.ts'),
    import('../queue/standing.ts'),
    import('./asking.ts'),
    import('./places.ts'),
  ])
  const tried = await inTenant(tenant, async ({ sql, keyring, config }) => {
    const app = await installedApp(sql, tenant, name)
    if (!app) throw notFound('app')
    refuseUnknown(app, skill)
    const client = createClient(config.outbound)
    const context = { sql, keyring, client, standing: UNWATCHED, stopping: UNSTOPPED, places: createPlaces(1), ...config.skills }
    try {
      return await trySkill(context, tenant, { app_id: name, skill_id: skill, arguments: given }, new AbortController().signal)
    } finally {
      await client.close()
    }
  })
  show(tried, json, tellTrial)
  if (!tried.ok) process.exitCode = 1
}

function refuseUnknown({ app_id, manifest: { skills = [] } }: Installed, id: string): void {
  const ids = skills.map(each => each.id)
  if (ids.includes(id)) return
  const known = ids.length > 0 ? `; it has ${ids.join(', ')}` : ', for it has none'
  throw new OperatorError(`<skill> is ${id}, which is no skill of ${app_id}${meant(id, ids, known)}.`)
}

function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // Told below.
  }
  throw new OperatorError(`--args is no JSON object; write it like '{"points":12}'.`)
}

function tellTrial({ ok, stage, value, request, response, attempts, errors, duration_ms }: Json): void {
  tellExchange({ request, response, attempts })
  console.log(
    ok
      ? `\nOutput (${duration_ms} ms)\n${JSON.stringify(value, null, 2)}`
      : `\nNo output: it ended at the stage ${stage} (${duration_ms} ms)`,
  )
  tellErrors(errors as Json[])
}

function tellErrors(errors: Json[]): void {
  for (const { field, code, message } of errors) console.log(printable(`  ${field ? `${field} ` : ''}${message}  (${code})`))
}

function tellExchange({ request, response, attempts }: Json): void {
  const { url, headers, body } = request as Json
  // Before an address is asked for, the call can have been refused.
  console.log(url === '' ? 'Not sent:' : `POST ${url}`)
  for (const [header, value] of Object.entries(headers as Json)) console.log(`${header}: ${value}`)
  console.log(`\n${body}\n`)
  for (const { number, status, error, duration_ms } of attempts as Json[])
    console.log(`Attempt ${number}: ${status ?? 'no answer'}${error ? `, ${printable(error)}` : ''} (${duration_ms} ms)`)
  if (response) console.log(`\n${printable((response as Json)['body'])}${(response as Json)['truncated'] ? '\n… and more' : ''}`)
}

async function showCalls(name: string, options: Options & { failed?: true; follow?: true; call?: string }): Promise<void> {
  const { tenant, json, follow, call, failed } = options
  const asked = failed ? { ...options, stage: 'input,network,http,output' } : options
  const { filters, page } = listAsked(callListing, callQuery, asked)
  await inTenant(tenant, async ({ sql }) => {
    const app = await idOfApp(sql, tenant, name)
    if (app === undefined) throw notFound('app')
    if (call !== undefined) return show(found('call', await log.findCall(sql, tenant, app, call)), json, tellCall)
    if (!follow) return showPage(await log.listCalls(sql, tenant, app, filters, page), page, json, COLUMNS)
    await followCalls((since, shown) => log.callsSince(sql, tenant, app, since, shown, FOLLOWED), json)
  })
}

const COLUMNS: Column[] = [
  'created_at',
  'id',
  'skill_id',
  ['for', ({ purpose, conversation_id, run_id, step_id }: Json) => [purpose, conversation_id, run_id, step_id].filter(Boolean).join(' ')],
  'status',
  ['why', ({ code, http_status }: Json) => [code, http_status].filter(Boolean).join(' ')],
  'attempts_count',
  'duration_ms',
]

function tellCall({ request, response, attempts, errors, ...call }: Json): void {
  showLines(call)
  console.log()
  tellExchange({ request, response, attempts })
  tellErrors(errors as Json[])
}

/** How often calls that have ended are looked for, and how many are shown at a look. */
const FOLLOW_MS = 500
const FOLLOWED = 50

/** Calls that end at once are written in any order: as far behind the last one others may turn up. */
const BEHIND_MS = 5_000

async function followCalls(look: (since: Date, shown: string[]) => Promise<log.Followed[]>, json: boolean | undefined): Promise<void> {
  const began = Date.now()
  let since = new Date(began)
  const shown = new Map<string, Date>()
  if (!json) console.log('Calls are shown as they end; Ctrl-C stops watching.')
  await watch(async () => {
    const ended = await look(since, [...shown.keys()])
    for (const { id, ended_at, call } of ended) {
      show(call, json, tellFollowed)
      shown.set(id, ended_at)
      since = new Date(Math.max(began, ended_at.getTime() - BEHIND_MS))
    }
    for (const [id, at] of shown) if (at < since) shown.delete(id)
    return ended.length >= FOLLOWED
  }, FOLLOW_MS)
}

function tellFollowed({ request, response, attempts, errors, skill_id, status, code, error, duration_ms, id }: Json): void {
  console.log(`\n── ${skill_id} ${status}${code ? ` (${code})` : ''} in ${duration_ms} ms, ${id}`)
  tellExchange({ request, response, attempts })
  if (error) console.log(printable(error))
  tellErrors(errors as Json[])
}
