// How long the versions of the Graph API serve: each for two years after the next one came.
// https://developers.facebook.com/docs/graph-api/changelog/versions, looked up on 2026-11-23

/** The last day of a version; the newest has none yet. */
const ENDS: Record<string, string> = {
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
}

/** When the version of an API's address ends: `YYYY-MM-DD`; `unknown` of one that is not in the table, null where the address names none. */
export function endOf(apiUrl: string): string | null {
  const version = /\/(v\d+\.\d+)$/.exec(apiUrl)?.[1]
  return version === undefined ? null : (ENDS[version] ?? 'unknown')
}
