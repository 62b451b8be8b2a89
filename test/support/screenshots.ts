// Pictures of pages for a person to look at: `SCREENSHOTS=folder npm test -- test/access/pages-in-browser.test.ts test/oauth/consent-in-browser.test.ts`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = process.env['SCREENSHOTS']

/** What pages are looked at in: a phone and a wide screen, in light and dark, where pictures are asked for; else what the test itself has. */
export const sizesOr = <T extends { width: number; colorScheme: 'light' | 'dark' }>(
  own: readonly T[],
): readonly Pick<T, 'width' | 'colorScheme'>[] =>
  FOLDER === undefined ? own : [390, 1440].flatMap(width => (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })))

/** Takes the picture of the whole page, where they are asked for. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}.png`), fullPage: true })
}
