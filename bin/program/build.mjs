// One kind of process as one program of few files, by esbuild: of some 1 700 modules it loads some 50, and the rest when it is first asked for.
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as bundle } from 'esbuild'
import { linesOf } from './lines.mjs'

/** The file that each kind of process is about. The commands, `start` among them, are about none. */
const MAIN = { web: 'src/web.ts', worker: 'src/worker.ts', command: undefined }
/** Which import what the command line asks for. */
const ASKING = ['src/cli/program.ts', 'src/cli/nouns.ts']
const TASKS = 'src/queue/task-files.ts'
/** Lets Node import pages: of no use here, where they are JavaScript. */
const PAGES = 'src/ingress/page/tsx.ts'

/** Packages that stay as they are. */
const PACKAGES = [
  // A program of its own, beside its package.
  'esbuild',
  // Loaded by a few processes when they first need them, by `require`. Of ajv there must be one: its parts know each other by their classes.
  'ajv',
  're2js',
  'undici',
  // They hold or read WebAssembly, and are loaded by the threads of sandboxes alone.
  '@jitl/quickjs-wasmfile-release-sync',
  'quickjs-emscripten-core',
  // It requires its own parts by a name that is handed around.
  'jsonc-parser',
  // Not installed: `pg` does without.
  'pg-native',
]

/** What a file is told of itself, as it stands in the file. */
const SELF = /\bimport\.meta\.(\w+)/g
/** A file that is started as a thread or a process. */
const STARTED = /new URL\('(\.{1,2}\/[^']+\.ts)', import\.meta\.url\)/g
const ASKED_FOR = /\bimport\('(\.{1,2}\/[^']+)'\)/g

/**
 * Writes the program into the folder. `start.mjs` is what Node is given.
 * @throws {{ errors: { text: string }[] }} where the sources cannot be bundled
 */
export async function build({ root, kind, folder }) {
  const started = new Map()
  const sources = ours(root, kind, started)
  const options = {
    absWorkingDir: root,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    external: PACKAGES,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    write: false,
    logLevel: 'silent',
    plugins: [sources],
  }
  const { outputFiles } = await bundle({ ...options, splitting: true, entryPoints: { [kind]: join(root, 'src/cli/cli.ts') } })
  const files = [...outputFiles]
  // Each is whole by itself, for it shares no process with the rest.
  if (started.size > 0) files.push(...(await bundle({ ...options, entryPoints: Object.fromEntries(started) })).outputFiles)
  for (const { path, text } of files)
    if (path.endsWith('.map')) writeFileSync(path.replace(/\.map$/, '.lines'), JSON.stringify(linesOf(JSON.parse(text))))
    else writeFileSync(path, requiring(root, text))
  copyFileSync(join(import.meta.dirname, 'start.mjs'), join(folder, 'start.mjs'))
}

// Packages in the older format require Node's own modules, and those that stay outside.
const requiring = (root, text) =>
  text.includes('var __require =')
    ? `import { createRequire } from 'node:module';const require = createRequire(${JSON.stringify(join(root, 'package.json'))});${text}`
    : text

function ours(root, kind, started) {
  const main = MAIN[kind]
  return {
    name: 'ours',
    setup(build) {
      build.onLoad({ filter: /\/(?:src|tasks|examples)\/.*\.tsx?$/ }, ({ path }) => {
        const file = relative(root, path)
        if (file.startsWith('node_modules') || file.startsWith('..')) return undefined
        return { contents: read(file, path), loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }

  function read(file, path) {
    if (file === PAGES) return ''
    if (file === TASKS) return tasks(root)
    const text = readFileSync(path, 'utf8')
    return selfKnown(file, path, ASKING.includes(file) ? asked(file, text) : text)
  }

  // A process imports what it is about at once. What others are about it never asks for, and would have a second time.
  function asked(file, text) {
    const hoisted = []
    const rewritten = text.replace(ASKED_FOR, (all, name) => {
      const target = join(dirname(file), name)
      if (target === main) {
        hoisted.push(`import * as main from '${name}'`)
        return 'Promise.resolve(main)'
      }
      return main || Object.values(MAIN).includes(target) ? `Promise.reject(new Error('${target} is not for this process'))` : all
    })
    return [...hoisted, rewritten].join('\n')
  }

  function selfKnown(file, path, text) {
    const known = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path, main: false }
    return text
      .replace(STARTED, (_, name) => {
        const target = join(dirname(file), name)
        const made = target.replace(/\.ts$/, '').replaceAll('/', '-')
        started.set(made, join(root, target))
        return `new URL('./${made}.mjs', import.meta.url_)`
      })
      .replace(SELF, (all, name) => {
        if (name === 'url_') return 'import.meta.url'
        // Of a package, which is found from wherever the clone is.
        if (name === 'resolve') return all
        if (!(name in known)) throw new Error(`${file}: ${basename(all)} has no meaning in a bundle`)
        return JSON.stringify(known[name])
      })
  }
}

// All at once, where the source imports each by its name.
function tasks(root) {
  const files = globSync('*/*.ts', { cwd: join(root, 'tasks') }).sort()
  const imports = files.map((file, index) => `import * as task${index} from '../../tasks/${file}'`)
  const entries = files.map((file, index) => `[${JSON.stringify(file.slice(0, -'.ts'.length))}, task${index}]`)
  return `${imports.join('\n')}\nexport const taskFiles = async () => new Map([${entries.join(', ')}])\n`
}
