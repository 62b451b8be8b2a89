// What those who watch conversations ask of them.
export { exists } from './list-store.ts'
export { rendered } from './live-store.ts'
