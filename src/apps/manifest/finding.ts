// What is wrong with a manifest, or deserves a look.

/** An error refuses the manifest; a warning has the same form and refuses nothing. */
export interface Finding {
  /** Where, such as `resources[0].fields[1].type`; empty: the manifest as a whole. */
  path: string
  /** Each has its place on the page of errors. */
  code: string
  /** A sentence that says the way out. */
  message: string
}

export interface Findings {
  errors: Finding[]
  warnings: Finding[]
}

/** Where something stands in a manifest, from the outside in. A number is the place in a list. */
export type Steps = readonly (string | number)[]
