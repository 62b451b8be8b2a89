// What bin/shopdesk starts, beside its bundle: compiled code is kept there too, and stacks name the sources.
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = import.meta.dirname
/** A place in a file of the bundle. */
const PLACE = new RegExp(`${RegExp.escape(pathToFileURL(folder).href)}/([\\w.-]+\\.mjs):(\\d+)(?::\\d+)?`)
const read = new Map()

enableCompileCache(join(folder, 'compiled'))
// Called when a stack is first looked at, which few errors ever meet.
Error.prepareStackTrace = (error, frames) => [described(error), ...frames.map(frame => `\n    at ${inSource(String(frame))}`)].join('')

// A bundle's folder begins with the kind of process that it is for.
await import(pathToFileURL(join(folder, `${basename(folder).split('-')[0]}.mjs`)).href)

function described(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}

function inSource(frame) {
  return frame.replace(PLACE, (place, file, line) => sourceOf(file, Number(line)) ?? place)
}

function sourceOf(file, line) {
  const { sources, lines } = linesOf(file)
  const found = lines[line - 1]
  return found ? `${pathToFileURL(resolve(folder, sources[found[0]])).href}:${found[1]}` : undefined
}

// Without them, a stack names the bundle.
function linesOf(file) {
  if (!read.has(file)) read.set(file, { sources: [], lines: [] })
  try {
    read.set(file, JSON.parse(readFileSync(join(folder, `${basename(file)}.lines`), 'utf8')))
  } catch {}
  return read.get(file)
}
