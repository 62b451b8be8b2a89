// Is a receiver's certificate at fault, or what we verify it by? A machine whose certificate authorities are missing, unreadable or expired refuses every
// receiver's certificate, which is no receiver's fault.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { authoritiesSource } from '../config.ts'

export interface Authorities {
  /** A receiver's certificate was verified. */
  verified(): void
  /** A receiver's certificate was refused with this code. @returns what is wrong on our own side, as a clause; undefined: it is the receiver's */
  refused(hostname: string, code: string): string | undefined
}

/** The verification ended at an authority that is not trusted, or at a date: at what a certificate authority or our clock may be to blame for. */
const DOUBTFUL = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_UNTRUSTED',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
])

/** A certificate that is its own authority: one that an operator may have added. */
const SELF_SIGNED = 'DEPTH_ZERO_SELF_SIGNED_CERT'

/** So many hosts' certificates have to be refused, and none verified, … */
const HOSTS_MIN = 3
/** … within this time. */
const RECENT_MS = 60_000

/** @param fault what is wrong with the authorities for certain, as a clause */
export function createAuthorities(fault: () => string | undefined = faultOfAuthorities): Authorities {
  /** When each host's certificate was refused last, by performance.now(). Only those of the last minute are kept. */
  const refused = new Map<string, number>()
  let verifiedAt = Number.NEGATIVE_INFINITY
  /** The authorities are those that were there when the process started. */
  let known: { fault: string | undefined } | undefined

  return {
    verified() {
      verifiedAt = performance.now()
      refused.clear()
    },
    refused(hostname, code) {
      if (!DOUBTFUL.has(code) && code !== SELF_SIGNED) return undefined
      known ??= { fault: fault() }
      if (known.fault || code === SELF_SIGNED) return known.fault
      const now = performance.now()
      refused.delete(hostname)
      refused.set(hostname, now)
      for (const [host, at] of refused) {
        if (at > now - RECENT_MS) break
        refused.delete(host)
      }
      if (refused.size < HOSTS_MIN || verifiedAt > now - RECENT_MS) return undefined
      return `no receiver's certificate can be verified (${code})`
    },
  }
}

/** What is wrong with the certificate authorities that receivers' certificates are verified against, as a clause; undefined where nothing is known. */
export function faultOfAuthorities(): string | undefined {
  const { extraFile, isOpenssl } = authoritiesSource()
  if (extraFile !== undefined && !holdsCertificates(extraFile))
    return 'the file that NODE_EXTRA_CA_CERTS names holds no certificate that can be read'
  // OpenSSL's own store cannot be listed.
  if (isOpenssl) return undefined
  const all = getCACertificates('default')
  if (all.length === 0) return 'this machine trusts no certificate authority'
  return all.some(isValid) ? undefined : 'all certificate authorities that this machine trusts have expired, or its clock is wrong'
}

function isValid(pem: string): boolean {
  const { validFromDate, validToDate } = new X509Certificate(pem)
  const now = Date.now()
  return validFromDate.getTime() <= now && now <= validToDate.getTime()
}

function holdsCertificates(file: string): boolean {
  try {
    return new X509Certificate(readFileSync(file)).raw.length > 0
  } catch {
    return false
  }
}
