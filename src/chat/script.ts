// `/chat.js`: made of widget/ by esbuild when it is first asked for, and kept. So its sources are small and typed, and the repository holds nothing made.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { type Encoded, encodings } from '../ingress/encoded.ts'

const ENTRY = join(import.meta.dirname, 'widget/main.ts')
/** What browsers of 2024 and later know, as the style sheet's `light-dark()` has it. */
const TARGET = 'es2022'

/** For a request's Accept-Encoding. */
export type Script = (acceptEncoding: string | undefined) => Encoded

/** @returns the script, made at the first call; a failure is tried again at the next one */
export function keepScript(): () => Promise<Script> {
  let made: Promise<Script> | undefined
  return () => {
    made ??= makeScript().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}

async function makeScript(): Promise<Script> {
  const { build, stop, transform } = await import('esbuild')
  // Style sheets come as their text, minified: the script makes sheets of them, for a strict policy lets nothing inline in.
  const styles: Plugin = {
    name: 'styles',
    setup(steps) {
      steps.onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true })
        return { contents: code, loader: 'text' }
      })
    },
  }
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format: 'iife',
    target: TARGET,
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
    plugins: [styles],
    // Without the process that esbuild keeps, the web process is as large as before.
  }).finally(stop)
  return encodings(outputFiles[0]?.text as string)
}
