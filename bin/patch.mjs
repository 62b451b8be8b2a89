// Applies patches/<package>+<version>.patch to that package in node_modules. The package keeps a copy of the patch it was given: one that
// was installed anew has none, and after an update the copy differs. Plain JavaScript for any Node >= 20, as install.mjs is.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const COPY = 'applied.patch'

/** Whether every package has today's patch. */
export function patched(root) {
  return patches(root).every(isApplied)
}

/**
 * Applies the patches that are not applied yet; an older version of a patch is reverted first.
 * @returns the reason in one line, if a patch cannot be applied
 */
export async function patch(root) {
  for (const each of patches(root)) {
    const refusal = isApplied(each) ? undefined : await apply(root, each)
    if (refusal) return refusal
  }
  return undefined
}

function patches(root) {
  const files = readdirSync(join(root, 'patches')).filter(name => name.endsWith('.patch'))
  return files.map(file => {
    const [name, version] = file.slice(0, -'.patch'.length).split('+')
    const folder = join(root, 'node_modules', name)
    return { file, name, version, folder, text: read(join(root, 'patches', file)), copy: join(folder, COPY) }
  })
}

const isApplied = ({ text, copy }) => read(copy) === text

async function apply(root, { file, name, version, folder, text, copy }) {
  const found = JSON.parse(read(join(folder, 'package.json')) ?? '{}').version
  if (found !== version) return `patches/${file} is not for ${name} ${found}, which package-lock.json names; make a patch for that version.`
  // Imported here, for node_modules may have been installed only now.
  const { applyPatch, parsePatch, reversePatch } = await import('diff')
  const earlier = read(copy)
  const undo = earlier === undefined ? [] : reversePatch(parsePatch(earlier))
  const changed = new Map()
  for (const change of [...undo, ...parsePatch(text)]) {
    const path = join(root, change.newFileName.replace(/^[ab]\//, ''))
    const after = applyPatch(changed.get(path) ?? read(path) ?? '', change)
    if (after === false) return `patches/${file} does not fit ${name} ${version} as it is in node_modules.`
    changed.set(path, after)
  }
  for (const [path, content] of changed) replace(path, content)
  // Written last, so that a patch which was cut short does not count as applied.
  replace(copy, text)
  console.error(`Applied patches/${file}.`)
  return undefined
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Replaces the file instead of changing it, for other folders may share the old one by hard links. */
export function replace(path, content) {
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, content)
  renameSync(temporary, path)
}
