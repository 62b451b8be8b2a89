// What others wrote, as a terminal may show it: control characters, but for the ends of lines, would move its cursor, clear it, or change what it says;
// those that turn the direction of what follows would turn around what stands beside the text.

export const printable = (text: unknown): string => String(text).replaceAll(/(?:[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069])+/gu, ' ')

/** The same on one line, as cells of tables are. */
export const printableLine = (text: unknown): string => String(text).replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
