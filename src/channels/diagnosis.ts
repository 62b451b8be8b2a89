// Whether the channels of all workspaces are in order: what their platforms say, and how long the version of Meta's API serves.
import { now } from '../clock.ts'
import type { Sql } from '../postgres/sql.ts'
import * as store from './accounts/diagnosis-store.ts'
import { API_URLS } from './accounts/shown.ts'
import * as connection from './connection.ts'
import type { ChannelContext } from './joining.ts'
import { endOf } from './platforms/graph/versions.ts'

/** Channels that are asked about, the latest first: a person waits for it. */
const ASKED_MAX = 200
const ASKED_AT_ONCE = 10
/** Another version has to be tried out before the present one ends. */
const WARNED_DAYS = 90

export interface Diagnosis {
  ok: boolean
  text: string
}

export async function diagnose(sql: Sql, context: ChannelContext): Promise<Diagnosis> {
  const found = await store.findForDoctor(sql, ASKED_MAX)
  if (found.length === 0) return { ok: true, text: 'none' }
  const problems = await asked(sql, found, context)
  const versions = [...new Set(found.flatMap(each => versionOf(each) ?? []))].map(url => lasting(url, now()))
  const all = [...problems, ...versions.filter(each => !each.ok).map(each => each.text)]
  const well = [`${found.length - problems.length} of ${found.length} in order`, ...versions.filter(each => each.ok).map(each => each.text)]
  return { ok: all.length === 0, text: [...all, ...well].join('; ') }
}

/** The address of Meta's API that a channel uses. */
const versionOf = ({ platform, settings }: store.Found): string | undefined => {
  const url = settings.api_url ?? API_URLS[platform]
  return url !== undefined && endOf(url) !== null ? url : undefined
}

/** @param at milliseconds since 1970 */
export function lasting(apiUrl: string, at: number): Diagnosis {
  const [end, version] = [endOf(apiUrl), apiUrl.slice(apiUrl.lastIndexOf('/') + 1)]
  if (end === null || end === 'unknown')
    return {
      ok: true,
      text: `${version} of Meta’s API is newer or older than this program knows: its end is at developers.facebook.com/docs/graph-api/changelog`,
    }
  const days = Math.floor((Date.parse(end) - at) / 86_400_000)
  if (days < 0) return { ok: false, text: `${version} of Meta’s API has ended on ${end}: name a later one with channel update --api-url` }
  if (days < WARNED_DAYS)
    return { ok: false, text: `${version} of Meta’s API ends on ${end}, in ${days} days: name a later one with channel update --api-url` }
  return { ok: true, text: `${version} of Meta’s API serves until ${end}` }
}

async function asked(sql: Sql, found: store.Found[], context: ChannelContext): Promise<string[]> {
  const told: string[][] = []
  for (let at = 0; at < found.length; at += ASKED_AT_ONCE)
    told.push(...(await Promise.all(found.slice(at, at + ASKED_AT_ONCE).map(each => problemsOf(sql, each, context)))))
  return told.filter(each => each.length > 0).map(each => each.join(' '))
}

async function problemsOf(sql: Sql, { tenant, id, status, last_error }: store.Found, context: ChannelContext): Promise<string[]> {
  const { problems } = await connection
    .check(sql, { tenant, actor: { type: 'cli' } }, id, context)
    .catch((error: Error) => ({ problems: [error.message] }))
  const failing =
    status === 'failing' && problems.length === 0 ? [`It was failing: ${last_error ?? 'no reason is kept'}; run channel enable.`] : []
  const all = [...problems, ...failing]
  return all.length === 0 ? [] : [`${id} of ${tenant}: ${all.join(' ')}`]
}
