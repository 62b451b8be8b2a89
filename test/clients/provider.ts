// What a client keeps of its access, in memory: the form that the SDKs ask of their OAuth providers, which is the same in all of them.
import { randomUUID } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: each library has types of its own for what is the same here
type Any = any

export interface Kept {
  /** The addresses to which the person was to be sent. */
  asked: URL[]
  /** As it was registered. */
  client?: { client_id: string; client_secret?: string }
  tokens?: { access_token: string; refresh_token: string }
  verifier?: string
  state?: string
  discovery?: Any
  server?: Any
}

/** @param over of the metadata with which it registers, and of the provider itself */
export function aProvider(redirectUrl: string, over: { metadata?: object; provider?: object } = {}): { kept: Kept; provider: Any } {
  const kept: Kept = { asked: [] }
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'A client of a test',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...over.metadata,
    },
    state() {
      kept.state = randomUUID()
      return kept.state
    },
    storedState: () => kept.state,
    clientInformation: () => kept.client,
    saveClientInformation(client: Any) {
      kept.client = client
    },
    isClientInformationDynamicallyRegistered: () => true,
    tokens: () => kept.tokens,
    saveTokens(tokens: Any) {
      kept.tokens = tokens
    },
    redirectToAuthorization(url: URL) {
      kept.asked.push(url)
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
    saveDiscoveryState(discovery: Any) {
      kept.discovery = discovery
    },
    discoveryState: () => kept.discovery,
    authorizationServerInformation: () => kept.server,
    saveAuthorizationServerInformation(server: Any) {
      kept.server = server
    },
    invalidateCredentials(scope: string) {
      if (scope === 'all' || scope === 'tokens') delete kept.tokens
      if (scope === 'all' || scope === 'client') delete kept.client
    },
    ...over.provider,
  }
  return { kept, provider }
}
