// What each of an endpoint's ciphertexts is bound to: it decrypts for this endpoint and this use alone.

/** Of the secret that signs. */
export const secretBinding = (tenant: string, endpoint: string): string => `${tenant} ${endpoint} secret`

/** Of the tenant's own headers, whose values carry credentials. */
export const headersBinding = (tenant: string, endpoint: string): string => `${tenant} ${endpoint} headers`
