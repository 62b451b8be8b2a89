// Where a received file lies. What a platform calls its files, and with which credential it hands them out, is the channels' matter: they hand in `Locate`.
import type { Source } from './lease-store.ts'
import type { Failure } from './schema.ts'

/** Where a file lies at the moment. */
export interface Located {
  url: string
  /** What the request says besides, our credential with the platform among it … */
  headers: Record<string, string>
  /** … which goes to these hosts alone, also when one redirects to another. */
  trusts(address: URL): boolean
  /** Bytes, where the platform says so: a file that ends before is not whole. */
  size?: number
}

/** `gone`: it can never be had. `again`: not now. */
export type Unlocated = { gone: Failure } | { again: Failure }

/** Asks anew at each attempt, for addresses of files live for minutes. `attempts` counts this one too. */
export type Locate = (
  file: { tenant: string; channel: string; source: Source; attempts: number },
  signal: AbortSignal,
) => Promise<Located | Unlocated>
