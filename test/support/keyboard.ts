// What people do on a page: with a mouse; or with a keyboard alone, from where they are to what they want by the keys.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More than any page has things that take the focus. */
const TABS_MAX = 80

/** Presses Tab until this has the focus, as anybody has to. @throws where it is not reached */
async function tabTo(page: Page, target: Locator): Promise<void> {
  // Looked for once: by its role and name that takes longer than pressing the key.
  const wanted = await target.elementHandle()
  for (let pressed = 0; pressed < TABS_MAX; pressed++) {
    await page.keyboard.press('Tab')
    if (await wanted?.evaluate(element => element === document.activeElement)) return
  }
  assert.fail(`${target} is not reached by Tab`)
}

/** The same, and Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** How a person does what a page asks of them. */
export interface Hands {
  /** A link, a button, a box to be ticked or to be opened. */
  press(target: Locator): Promise<void>
  tick(target: Locator): Promise<void>
  /** In the place of what stands there. */
  type(target: Locator, text: string): Promise<void>
  choose(target: Locator, label: string): Promise<void>
}

export const withTheMouse: Hands = {
  press: target => target.click(),
  tick: target => target.check(),
  type: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
}

/** By the keys alone, from where the focus is: the beginning of a page that has just been loaded. */
export const byKeyboard: Hands = {
  press: target => pressOn(target.page(), target),
  async tick(target) {
    await tabTo(target.page(), target)
    await target.page().keyboard.press('Space')
  },
  async type(target, text) {
    await tabTo(target.page(), target)
    await target.page().keyboard.press('ControlOrMeta+A')
    await target.page().keyboard.type(text)
  },
  async choose(target, label) {
    await tabTo(target.page(), target)
    await target.page().keyboard.type(label)
  },
}
