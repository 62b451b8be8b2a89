// What is left to a person when an account of Meta's is a channel no more.
import type { Callback } from '../connector.ts'

/** An app has one address for all its accounts: without it the others would hear nothing. */
export const byHandAfter = ({ url }: Callback): string[] => [
  `Callbacks to ${url} are answered with 404 from now on. If the app’s callback URL is this one, set it to that of another channel of the app,`,
  'or unsubscribe from its fields: in the app’s dashboard, under Webhooks.',
]
