// What is known of an app once it is installed.
export const STATES = ['active', 'needs_config', 'disabled', 'uninstalled'] as const
/** `needs_config`: a required setting has no value, so nothing of the app runs. */
export type State = (typeof STATES)[number]

export const CREDENTIAL_MODES = ['none', 'bearer', 'hmac'] as const
export type CredentialMode = (typeof CREDENTIAL_MODES)[number]

/** With what an app's service is called: the same for all its skills. */
export type Credential = { mode: 'none' } | { mode: 'bearer' | 'hmac'; secret: string }

/** The value of a setting that is no secret. */
export type PlainValue = string | number | boolean
