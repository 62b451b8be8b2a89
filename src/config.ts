// The only reader of process.env. A wrong setting stops the start with one line: its name, its value and the allowed values.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { OperatorError } from './errors.ts'
import { ATTACHMENT_MAX_BYTES } from './limits/attachments.ts'
import { INBOUND_CHANNEL_LIMIT, INBOUND_PAYMENT_LIMIT } from './limits/callbacks.ts'
import { CHANNEL_TIMEOUT_MS, MESSAGE_SCHEDULE_SECONDS } from './limits/channels.ts'
import { CHAT_MAILS_OF_WORKSPACE } from './limits/chat.ts'
import { MCP_VERSION } from './limits/mcp.ts'
import { OAUTH_REGISTRATIONS_PER_HOUR } from './limits/oauth.ts'
import { SKILL_TIMEOUT_MS, SKILL_TOTAL_MS } from './limits/skills.ts'
import { DELIVERY_SCHEDULE_SECONDS, DELIVERY_TIMEOUT_MS } from './limits/webhooks.ts'
import { type Keyring, parseKeyring } from './secrets.ts'
import {
  boolean,
  type Env,
  hostName,
  integer,
  list,
  oneOf,
  origins,
  originUrl,
  pageUrl,
  postgresUrl,
  schedule,
  schemes,
  text,
  versions,
  wrong,
  wrongShown,
} from './setting.ts'

export interface MailConfig {
  /** smtp:// or smtps://, with user and password where the server asks for them. */
  smtpUrl: string
  /** `address` or `Name <address>`. */
  from: string
}

export interface Config {
  host: string
  port: number
  /** Undefined: the embedded database under dataDir. */
  databaseUrl: string | undefined
  dataDir: string
  /** Without a trailing slash. */
  baseUrl: string
  docsUrl: string
  /** Undefined where SECRET_KEY is not set: with the embedded database a key is made, else it is required. */
  keyring: Keyring | undefined
  /** As Fastify's trustProxy: the proxies whose X-Forwarded-For counts. False: none. */
  trustProxy: false | number | string[]
  logLevel: string
  /** Open connections of one web process. For an address, those count over which no valid key has come. */
  connections: { inAll: number; perAddress: number }
  outbound: {
    allowPrivate: boolean
    /** Origins exempt from the private-address ban, e.g. the demo's receiver on loopback. */
    allowOrigins: string[]
  }
  webhooks: { scheduleSeconds: readonly number[]; timeoutMs: number }
  skills: { timeoutMs: number }
  /** Messages through channels. */
  channels: { scheduleSeconds: readonly number[]; timeoutMs: number }
  /** Callbacks that one address may send in a minute. */
  inbound: { channel: number; payment: number }
  /** Versions of MCP that `initialize` may answer: the one asked for if it is among them, else the first. */
  mcpVersions: readonly string[]
  /** Undefined: mails are kept and shown in the log. */
  mail: MailConfig | undefined
  bulkMaxItems: number
  /** The size of one file of a message, in and out. */
  attachmentMaxBytes: number
  /** The limits of one workspace. */
  quotas: {
    webhooks: number
    /** Webhooks to one origin that has answered none of them with 2xx. */
    unprovenPerOrigin: number
    /** Bytes of uploads, exports and files of messages. */
    storedBytes: number
    /** Mails of unread answers in a day, to addresses that visitors of web chat have typed. */
    chatMails: number
  }
  offsetSunsetEnforced: boolean
  /** Schemes of apps allowed as redirect URIs beside the known ones; registrations of one address. */
  oauth: { appSchemes: string[]; registrationsPerHour: number }
  /** Jobs at once in one worker process. */
  workerConcurrency: number
}

/**
 * Where the certificate authorities of this process come from.
 * @returns extraFile: the file of those that an operator adds; isOpenssl: OpenSSL's own instead of those that come with Node
 */
export function authoritiesSource(env: Env = process.env): { extraFile: string | undefined; isOpenssl: boolean } {
  const flags = [env['NODE_OPTIONS'] ?? '', ...process.execArgv].join(' ')
  return { extraFile: env['NODE_EXTRA_CA_CERTS'] || undefined, isOpenssl: flags.includes('--use-openssl-ca') }
}

/**
 * Reads every setting. Empty strings count as unset.
 * @throws {OperatorError} naming the first wrong setting
 */
export function loadConfig(env: Env = process.env): Config {
  const databaseUrl = postgresUrl(env, 'DATABASE_URL')
  const host = hostName(env, 'HOST') ?? (databaseUrl ? '0.0.0.0' : '127.0.0.1')
  const port = integer(env, 'PORT', 3000, 0, 65_535)
  const baseUrl = originUrl(env, 'BASE_URL') ?? asOrigin(`http://${printableHost(host)}:${port}`)
  return {
    host,
    port,
    databaseUrl,
    dataDir: resolve(text(env, 'DATA_DIR') ?? '.data'),
    baseUrl,
    docsUrl: pageUrl(env, 'DOCS_URL') ?? `${baseUrl}/docs`,
    keyring: keyring(env),
    trustProxy: trustProxy(env),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    connections: {
      inAll: integer(env, 'CONNECTIONS_MAX', 4096, 1, 1_000_000),
      perAddress: integer(env, 'CONNECTIONS_PER_ADDRESS', 256, 1, 1_000_000),
    },
    outbound: { allowPrivate: boolean(env, 'OUTBOUND_ALLOW_PRIVATE', false), allowOrigins: origins(env, 'OUTBOUND_ALLOW_ORIGINS') },
    webhooks: {
      scheduleSeconds: schedule(env, 'WEBHOOK_SCHEDULE', DELIVERY_SCHEDULE_SECONDS),
      timeoutMs: integer(env, 'WEBHOOK_TIMEOUT_MS', DELIVERY_TIMEOUT_MS, 10, 60_000),
    },
    skills: { timeoutMs: integer(env, 'SKILL_TIMEOUT_MS', SKILL_TIMEOUT_MS, 100, SKILL_TOTAL_MS) },
    channels: {
      scheduleSeconds: schedule(env, 'MESSAGE_SCHEDULE', MESSAGE_SCHEDULE_SECONDS),
      timeoutMs: integer(env, 'CHANNEL_TIMEOUT_MS', CHANNEL_TIMEOUT_MS, 10, 60_000),
    },
    inbound: {
      channel: integer(env, 'INBOUND_CHANNEL_LIMIT', INBOUND_CHANNEL_LIMIT, 1, 1_000_000),
      payment: integer(env, 'INBOUND_PAYMENT_LIMIT', INBOUND_PAYMENT_LIMIT, 1, 1_000_000),
    },
    mcpVersions: versions(env, 'MCP_PROTOCOL_VERSIONS', MCP_VERSION),
    mail: mail(env),
    bulkMaxItems: integer(env, 'BULK_MAX_ITEMS', 50, 1, 1000),
    attachmentMaxBytes: integer(env, 'ATTACHMENT_MAX_BYTES', ATTACHMENT_MAX_BYTES, 1_048_576, 104_857_600),
    quotas: {
      webhooks: integer(env, 'WEBHOOKS_PER_WORKSPACE', 50, 1, 1_000_000),
      unprovenPerOrigin: integer(env, 'WEBHOOKS_UNPROVEN_PER_ORIGIN', 5, 1, 1_000_000),
      storedBytes: integer(env, 'STORED_BYTES_PER_WORKSPACE', 4 * 1024 ** 3, 1, 1e15),
      chatMails: integer(env, 'CHAT_MAILS_PER_WORKSPACE', CHAT_MAILS_OF_WORKSPACE, 1, 10_000),
    },
    offsetSunsetEnforced: boolean(env, 'OFFSET_SUNSET_ENFORCED', false),
    oauth: {
      appSchemes: schemes(env, 'OAUTH_APP_SCHEMES'),
      registrationsPerHour: integer(env, 'OAUTH_REGISTRATIONS_PER_HOUR', OAUTH_REGISTRATIONS_PER_HOUR, 1, 1_000_000),
    },
    workerConcurrency: integer(env, 'WORKER_CONCURRENCY', 200, 1, 2000),
  }
}

/** The environment of a child process: that of this process, with these settings replaced. */
export function childEnvironment(settings: Env): Env {
  return { ...process.env, ...settings }
}

/** Why people and AI clients should not come by this address: what they send could be read on the way. Undefined where it is well. */
export function addressFault(baseUrl: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)) return undefined
  return `BASE_URL is ${baseUrl}: passwords, sessions and tokens cross the network in the clear; put https in front, and set BASE_URL to it`
}

// As clients write it, for they compare addresses: port 80 is left out.
const asOrigin = (address: string): string => URL.parse(address)?.origin ?? address

function printableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  // The zone of a link-local address means something on this machine alone.
  return host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host
}

const MAIL_ADDRESS = 'an address, such as shop@example.com or Shopdesk <shop@example.com>'

function mail(env: Env): MailConfig | undefined {
  const [smtpUrl, from] = [text(env, 'SMTP_URL'), text(env, 'MAIL_FROM')]
  // In the wrong one of the two settings, a mail server's address shows its password.
  if (from?.includes('//')) wrong('MAIL_FROM', from, MAIL_ADDRESS)
  if (from !== undefined && !/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from))
    throw wrongShown('MAIL_FROM', from, MAIL_ADDRESS)
  if (smtpUrl === undefined) return undefined
  const url = URL.parse(smtpUrl)
  // The value may hold a password, so it is not repeated.
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    throw new OperatorError('SMTP_URL is not a mail server; it must look like smtp://user:password@host:587 or smtps://host.')
  if (from === undefined) throw new OperatorError('MAIL_FROM is not set; with SMTP_URL it must be, such as Shopdesk <shop@example.com>.')
  return { smtpUrl, from }
}

function keyring(env: Env): Keyring | undefined {
  const value = text(env, 'SECRET_KEY')
  if (value === undefined) return undefined
  const parsed = parseKeyring(value)
  // The value is a secret, so it is not repeated.
  if (!parsed)
    throw new OperatorError('SECRET_KEY is not a key; it must be 32 bytes as 64 hex digits or base64, or several as id:key,id:key.')
  return parsed
}

function trustProxy(env: Env): Config['trustProxy'] {
  const value = text(env, 'TRUST_PROXY')
  if (value === undefined || value.toLowerCase() === 'none' || value === 'false') return false
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const parts = list(env, 'TRUST_PROXY')
  if (!parts.every(part => ['loopback', 'linklocal', 'uniquelocal'].includes(part) || isRange(part)))
    wrong('TRUST_PROXY', value, 'a number of hops, or addresses and ranges such as 10.0.0.0/8,loopback')
  return parts
}

function isRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}
