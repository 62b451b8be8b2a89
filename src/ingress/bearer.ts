// The token of an Authorization header: `Bearer <token>`, the scheme in any case (RFC 9110, RFC 6750).

/** Undefined when the header is missing, of another scheme, or has no single token. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1]
}
