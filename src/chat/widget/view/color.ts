// The shop's colour, and what can be read on it.

const DEFAULT = '#0f766e'

/** @param color `#rrggbb`, as the channel has it @returns the style sheet's variables */
export function accent(color: string | null | undefined): string {
  const own = /^#[\da-f]{6}$/i.test(color ?? '') ? (color as string) : DEFAULT
  return `:host{--accent:${own}!important;--on-accent:${luminance(own) > MIDDLE ? '#000' : '#fff'}!important}`
}

/** Where black and white contrast alike, 4.58 : 1 (WCAG 2.2, relative luminance). */
const MIDDLE = 0.179

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
