// A real browser for the tests of pages: Chromium as its npm package carries it, unpacked once, with the libraries and fonts it needs, so that
// `npm ci` alone is enough.
import { existsSync } from 'node:fs'
import { copyFile, glob, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const PACKED = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')))
/** For code. As TTF, because Chromium takes no WOFF or WOFF2 from fontconfig. */
const MONOSPACED = fileURLToPath(new URL('.', import.meta.resolve('@expo-google-fonts/cousine')))
export const FONTS_CONF = fileURLToPath(new URL('fonts.conf', import.meta.url))
/** Where compiled code is kept too; `npm ci` empties it. */
const CACHE = join(process.cwd(), 'node_modules/.cache')

export async function openBrowser(): Promise<Browser> {
  const home = await unpacked()
  return chromium.launch({
    executablePath: join(home, 'chromium'),
    // As root, which CI often is, Chromium has no sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    env: { ...process.env, ...environment(home) } as Record<string, string>,
  })
}

const environment = (home: string) => ({
  LD_LIBRARY_PATH: join(home, 'al2023/lib'),
  FONTCONFIG_FILE: join(home, 'fonts/fonts.conf'),
  XDG_CACHE_HOME: join(home, 'cache'),
})

// Unpacked beside its folder and moved there whole: concurrent test files must not find half a browser.
async function unpacked(): Promise<string> {
  const home = join(CACHE, 'chromium')
  if (existsSync(home)) return home
  await mkdir(dirname(home), { recursive: true })
  const mine = await mkdtemp(`${home}-`)
  await inflateInto(mine, ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'])
  await copyFile(FONTS_CONF, join(mine, 'fonts/fonts.conf'))
  for await (const font of glob('*/*.ttf', { cwd: MONOSPACED }))
    await copyFile(join(MONOSPACED, font), join(mine, 'fonts/fonts', basename(font)))
  await rename(mine, home).catch(() => rm(mine, { recursive: true }))
  return home
}

// The package unpacks to the folder for temporary files, wherever that is.
async function inflateInto(folder: string, names: string[]): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await Promise.all(names.map(name => inflate(join(PACKED, name))))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
