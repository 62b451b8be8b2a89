// What others wrote, as a terminal may show it: control characters, but for the ends of lines, would move its cursor, clear it, or change what it says.

export const printable = (text: unknown): string => String(text).replaceAll(/[^\P{Cc}\n]+/gu, ' ')

/** The same on one line, as cells of tables are. */
export const printableLine = (text: unknown): string => String(text).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
