// A workspace's time zone: an IANA name, such as Europe/Kyiv. An offset is none, for it has no summer time.

export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}
