/** What stands in a log for a secret. */
export const MASK = '••••'
