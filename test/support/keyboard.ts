// A person who has only a keyboard: from where they are to what they want, by the keys alone.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More than any page has things that take the focus. */
const TABS_MAX = 80

/** Presses Tab until this has the focus, as anybody has to. @throws where it is not reached */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let pressed = 0; pressed < TABS_MAX; pressed++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate(element => element === document.activeElement)) return
  }
  assert.fail(`${target} is not reached by Tab`)
}

/** The same, and Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}
