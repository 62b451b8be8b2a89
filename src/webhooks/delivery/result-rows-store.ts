// Results as the rows that the recording statement reads. What results of a slice have in common is a row of its own, so that it is sent once.
import type { Ref } from '../../ids.ts'
import { arrayText } from '../../postgres/row-set.ts'
import { type Fragment, part } from '../../postgres/sql.ts'
import type { Health } from './health.ts'
import type { Result, ResultSlice } from './result.ts'

/** What the results of one slice have in common, and the endpoint's health after the last of them. */
export interface SliceResults extends Ref, Health {
  n: number
  token: string
  version: number
  slate: number
  waits: number | null
  url: string
  headerNames: string[] | null
  succeededAt: number | null
  failedAt: number | null
  /** The last failure's. */
  error: string | null
  status: number | null
  job: string | null
  ends: boolean
}

export function slicesOf(results: Result[]): Map<ResultSlice, SliceResults> {
  const slices = new Map<ResultSlice, SliceResults>()
  for (const { slice, made, health, waits, ends } of results) {
    const { endedAt, log } = made
    const before = slices.get(slice)
    slices.set(slice, {
      n: before?.n ?? slices.size,
      tenant: slice.endpoint.tenant,
      id: slice.endpoint.id,
      token: slice.token,
      version: slice.lease.version,
      slate: slice.lease.slate,
      waits: waits ?? before?.waits ?? null,
      ...health,
      url: log.url,
      headerNames: log.headerNames,
      succeededAt: log.error === null ? Math.max(before?.succeededAt ?? 0, endedAt) : (before?.succeededAt ?? null),
      failedAt: log.error === null ? (before?.failedAt ?? null) : Math.max(before?.failedAt ?? 0, endedAt),
      error: log.error ?? before?.error ?? null,
      status: log.error === null ? (before?.status ?? null) : log.status,
      job: slice.job,
      ends,
    })
  }
  return slices
}

export function sliceRows(slices: SliceResults[]): Fragment {
  const column = columnOf(slices)
  return part`
      select *
        from unnest(
               ${column(each => each.n)}::text::integer[], ${column(each => each.tenant)}::text::text[], ${column(each => each.id)}::text::text[],
               ${column(each => each.token)}::text::uuid[], ${column(each => each.version)}::text::integer[], ${column(each => each.url)}::text::text[],
               ${column(each => each.headerNames && arrayText(each.headerNames))}::text::text[], ${column(each => each.succeededAt)}::text::float8[],
               ${column(each => each.failedAt)}::text::float8[], ${column(each => each.error)}::text::text[],
               ${column(each => each.status)}::text::smallint[], ${column(each => each.failures)}::text::integer[],
               ${column(each => each.failingSince)}::text::float8[], ${column(each => each.failureKnownAt)}::text::float8[],
               ${column(each => each.silentUntil)}::text::float8[], ${column(each => each.job)}::text::bigint[],
               ${column(each => each.slate)}::text::integer[], ${column(each => each.waits)}::text::float8[],
               ${column(each => String(each.ends))}::text::boolean[])
          as t (n, tenant, endpoint, token, version, url, header_names, succeeded_at, failed_at, error, status, failures, failing_since,
                failure_known_at, silent_until, job, slate, waits, ends)`
}

export function resultRows(results: Result[], slices: Map<ResultSlice, SliceResults>): Fragment {
  const column = columnOf(results)
  return part`
      select *
        from unnest(
               ${column(each => slices.get(each.slice)?.n)}::text::integer[], ${column(each => each.event)}::text::text[],
               ${column(each => each.attempt)}::text::smallint[], ${column(each => (each.state === 'succeeded' ? null : each.state))}::text::text[],
               ${column(each => each.made.startedAt)}::text::float8[], ${column(each => each.made.endedAt)}::text::float8[],
               ${column(each => (each.state === 'succeeded' ? null : each.dueAt))}::text::float8[], ${column(each => each.made.log.status)}::text::smallint[],
               ${column(each => each.made.log.error)}::text::text[], ${column(each => each.made.log.signature)}::text::text[],
               ${column(each => each.made.log.responseHeaders)}::text::text[], ${column(each => each.made.log.responseBody)}::text::text[],
               ${column(each => each.made.log.truncated)}::text::text[], ${column(each => each.made.log.timings.dnsMs)}::text::real[],
               ${column(each => each.made.log.timings.connectMs)}::text::real[], ${column(each => each.made.log.timings.tlsMs)}::text::real[],
               ${column(each => each.made.log.timings.firstByteMs)}::text::real[], ${column(each => each.made.log.timings.totalMs)}::text::real[])
          with ordinality
            as r (slice, event, attempt, state, started, ended, due, status, error, signature, headers, body, truncated, dns, connect, tls,
                  first_byte, total, place)`
}

const columnOf =
  <Row>(rows: Row[]) =>
  (of: (row: Row) => string | number | null | undefined): string =>
    arrayText(rows.map(of))
