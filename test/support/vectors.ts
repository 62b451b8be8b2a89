// The signature vectors that are published beside the guides.
import { readFileSync } from 'node:fs'

export interface Vector {
  name: string
  secret: string
  header: string
  body: string
  /** Seconds since 1970. */
  now: number
  valid: boolean
}

/** @param folder in docs/ */
export const vectorsOf = (folder: string): Vector[] =>
  (JSON.parse(readFileSync(new URL(`../../docs/${folder}/vectors.json`, import.meta.url), 'utf8')) as { vectors: Vector[] }).vectors
