// Compiles pages (.tsx) when the program is installed, so that no web process has to: the compiler takes 20 MB of the one that is first asked for a page.
// What is kept is named by a hash of its source, as src/ingress/page/tsx.ts looks for it, which compiles whatever has changed since.
// Plain JavaScript for any Node >= 20, as install.mjs is.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replace } from './patch.mjs'

/** Whether each page is there as its source has it. */
export const compiled = root => pages(root).every(({ kept }) => existsSync(kept))

export async function compile(root) {
  if (compiled(root)) return
  // Imported here, for node_modules may have been installed only now.
  const { transform } = await import('esbuild')
  const wanted = pages(root)
  mkdirSync(folderIn(root), { recursive: true })
  for (const { path, source, kept } of wanted)
    if (!existsSync(kept)) replace(kept, (await transform(source, { ...options(root), sourcefile: path })).code)
  const names = new Set(wanted.map(({ kept }) => kept))
  // Those of earlier sources.
  for (const name of readdirSync(folderIn(root))) if (!names.has(join(folderIn(root), name))) rmSync(join(folderIn(root), name))
}

function pages(root) {
  const { version } = json(join(root, 'node_modules/esbuild/package.json'))
  const start = `${version} ${JSON.stringify(options(root))}\n`
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.tsx'))
    .map(name => {
      const path = join(root, 'src', name)
      const source = readFileSync(path, 'utf8')
      const hash = createHash('sha256')
        .update(start + source)
        .digest('hex')
      return { path, source, kept: join(folderIn(root), `${hash}.js`) }
    })
}

const folderIn = root => join(root, 'node_modules/.cache/pages')
const options = root => json(join(root, 'src/ingress/page/compile.json'))
const json = path => JSON.parse(readFileSync(path, 'utf8'))
