// Where a sign-in leads: to a page of ours, never elsewhere.

/** @returns the path and query, if it is of this service; else the dashboard */
export function nextOf(text: string | null): string {
  // Browsers read a backslash as a slash, and leave out line ends and tabs.
  if (text === null || !/^\/(?![/\\])/.test(text) || /[\p{Cc}\\]/u.test(text)) return HOME
  const url = URL.parse(text, 'http://here.invalid')
  // Dot segments are gone by now: of `/.//elsewhere` they leave `//elsewhere`, which is another host.
  return url?.origin === 'http://here.invalid' && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : HOME
}

const HOME = '/dashboard'
