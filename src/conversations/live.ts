// What those who watch conversations ask of them.
export { exists } from './list-store.ts'
export { rendered, renderedOne } from './live-store.ts'
