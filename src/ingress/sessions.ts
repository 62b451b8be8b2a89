// A browser's session as a second way in, beside keys: which paths take one, and what a write has to prove.
import { Problem } from '../problems.ts'

export const takesSessions = (url: string): boolean => url.startsWith('/api/platform/')

export const isSession = (credential: string): boolean => credential.includes(' ')

export const notOurs = (): Problem =>
  new Problem(
    'insufficient-scope',
    'A write by a browser’s session needs the token of a page of ours in X-CSRF-Token; take it from its meta tag, or load the page again.',
    { code: 'csrf' },
  )
