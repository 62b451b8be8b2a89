// Apps and their manifests.

/** Apps of a workspace: each event is held against the flows of all. */
export const APPS_MAX = 50
/** `app dev` looks at the latest calls and runs so often, installs so long after the last sign of a save or after so many, and tells of so many at once. */
export const APP_FOLLOW_MS = 300
export const APP_SAVE_MS = 100
export const APP_SAVE_LOOKS = 10
export const APP_FOLLOWED_MAX = 50
/** What an uninstalled app left is kept for so long: installing it again brings it back. */
export const UNINSTALLED_DAYS = 30
/** A revision of before is kept for longer than a run can take: ten waits of a month each. */
export const REVISION_DAYS = 310
/** Manifests that a process keeps read, in characters of their text: a hundred of the usual size, or some of the largest. */
export const MANIFESTS_KEPT_CHARS = 4 * 1024 ** 2
/** A text value of an app's setting; a key or a token, but no file. */
export const CONFIG_VALUE_CHARS = 4_000
/** The secret of an app's credential: a signed token, at most. */
export const CREDENTIAL_CHARS = 4_000

/** An app's manifest, and what it may hold: each is checked as a whole, in one go, before anything of it is kept. */
export const MANIFEST_BYTES = 512 * 1024
export const MANIFEST_LISTS = {
  scopes: 100,
  resources: 20,
  fields: 40,
  enumValues: 100,
  relations: 3 * 2,
  skills: 30,
  views: 20,
  knowledge: 100,
  config: 50,
  flows: 20,
  steps: 10,
  conditions: 20,
} as const
