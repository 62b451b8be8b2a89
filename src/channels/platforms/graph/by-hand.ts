// What is left to a person with Meta's apps.
import type { Callback } from '../connector.ts'

/** The verify token, as a person is told of it. */
export const verifyTokenOf = (made: Callback['made']): string =>
  made?.verify_token ?? 'the one that was given, or shown when it was made (channel update --verify-token sets another)'

/** An app has one address for all its accounts: without it the others would hear nothing. */
export const byHandAfter = ({ url }: Callback): string[] => [
  `Callbacks to ${url} are answered with 404 from now on. If the app’s callback URL is this one, set it to that of another channel of the app,`,
  'or unsubscribe from its fields: in the app’s dashboard, under Webhooks.',
]
