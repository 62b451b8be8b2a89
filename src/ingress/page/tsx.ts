// Lets Node import pages (.tsx), which it cannot by itself: esbuild makes JavaScript of each, which is kept beside Node's own compile cache. For processes
// that run from the sources, as those of tests do: the bundle of bin/shopdesk holds pages as JavaScript, and nothing in the place of this file.
// A process imports this file, and then pages, when it is first asked for one; the loader of `tsx` would cost every process 30 MB and 0.2 s.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, getCompileCacheDir, registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TransformOptions } from 'esbuild'
// What the result depends on, beside the source: `tsconfig.json` says the same to tsc.
import options from './compile.json' with { type: 'json' }

registerHooks({
  load(url, context, next) {
    return url.endsWith('.tsx') ? { format: 'module', shortCircuit: true, source: compiled(fileURLToPath(url)) } : next(url, context)
  },
})

const require = createRequire(import.meta.url)

function compiled(path: string): string {
  const source = readFileSync(path, 'utf8')
  const name = nameOf(source)
  const folder = getCompileCacheDir()
  const kept = folder && join(folder, 'pages', name)
  return read(kept) ?? keep(kept, compile(source, path))
}

// The name is a hash of the source and of the version that compiles it, so what is kept is never stale.
function nameOf(source: string): string {
  const { version } = require('esbuild/package.json') as { version: string }
  return `${hash('sha256', `${version} ${JSON.stringify(options)}\n${source}`)}.js`
}

function compile(source: string, path: string): string {
  const { transformSync } = require('esbuild') as typeof import('esbuild')
  return transformSync(source, { ...(options as TransformOptions), sourcefile: path }).code
}

function read(path: string | undefined): string | undefined {
  try {
    return path && readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

// Moved into place whole, for several processes may start at once. Where nothing can be written, each process compiles.
function keep(path: string | undefined, code: string): string {
  if (path === undefined) return code
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(`${path}.${process.pid}`, code)
    renameSync(`${path}.${process.pid}`, path)
  } catch {}
  return code
}
