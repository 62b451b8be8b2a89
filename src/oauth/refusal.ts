// A refusal in OAuth's own form (RFC 6749 §5.2, RFC 7591 §3.2.2): a code for programs, a sentence for their authors.

export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'server_error'

export class OAuthRefusal extends Error {
  override name = 'OAuthRefusal'
  readonly error: OAuthError
  readonly status: number
  readonly headers: Record<string, string>

  constructor(error: OAuthError, description: string, status = 400, headers: Record<string, string> = {}) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}
