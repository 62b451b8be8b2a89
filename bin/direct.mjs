// Lets Node find the program's own modules by their names alone. Each import of ours names its file whole, yet for every one of some four thousand Node
// asks the file system for links, and for a package.json in each folder above: a quarter of what a process takes to start. What packages import, and
// what is not TypeScript, Node finds as ever.
import { registerHooks } from 'node:module'

const root = new URL('..', import.meta.url).href
const packages = new URL('../node_modules/', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL
    const ours = specifier.startsWith('.') && specifier.endsWith('.ts') && from?.startsWith(root) && !from.startsWith(packages)
    return ours ? { url: joined(from, specifier), format: 'module-typescript', shortCircuit: true } : next(specifier, context)
  },
})

// As `new URL(specifier, from).href`, at a fifth of its cost.
function joined(from, specifier) {
  let folder = from.slice(0, from.lastIndexOf('/'))
  let path = specifier
  for (;;) {
    if (path.startsWith('./')) path = path.slice(2)
    else if (path.startsWith('../')) {
      path = path.slice(3)
      folder = folder.slice(0, folder.lastIndexOf('/'))
    } else return `${folder}/${path}`
  }
}
