// One setting of each kind, read from the environment by its name. A wrong one stops the start with its name, its value and what it may be.
import { isIP } from 'node:net'
import { OperatorError } from './errors.ts'

export type Env = Record<string, string | undefined>

export function text(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

export function wrong(name: string, was: string, mayBe: string): never {
  throw wrongShown(name, masked(was), mayBe)
}

/** As `wrong`, of one part of a list. A password may hold the comma that parts it, so where there is an @ the whole list is looked at. */
function wrongPart(env: Env, name: string, part: string, mayBe: string): never {
  const whole = text(env, name) ?? ''
  return wrong(name, AT.test(whole) ? whole : part, mayBe)
}

/** For a value that holds an @ by nature. */
export function wrongShown(name: string, shown: string, mayBe: string): OperatorError {
  return new OperatorError(`${name} is ${JSON.stringify(shown)}; it must be ${mayBe}.`)
}

const AT = /@|%(?:25)*40/

/** Whatever stands before the last @ may be a password or a token, however wrong the address is, and errors go to logs. */
function masked(value: string): string {
  return value.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*(@|%(?:25)*40)/is, '$1…$2')
}

export function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  if (!/^\d{1,16}$/.test(value) || Number(value) < min || Number(value) > max) wrong(name, value, `a whole number from ${min} to ${max}`)
  return Number(value)
}

export function boolean(env: Env, name: string, fallback: boolean): boolean {
  const value = text(env, name)
  if (value === undefined) return fallback
  if (['true', '1', 'yes', 'on'].includes(value.toLowerCase())) return true
  if (['false', '0', 'no', 'off'].includes(value.toLowerCase())) return false
  return wrong(name, value, 'true or false')
}

export function oneOf(env: Env, name: string, fallback: string, allowed: string[]): string {
  const value = text(env, name) ?? fallback
  return allowed.includes(value) ? value : wrong(name, value, `one of ${allowed.join(', ')}`)
}

export function list(env: Env, name: string): string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
}

export function origins(env: Env, name: string): string[] {
  const found = list(env, name)
  const wrongOne = found.find(each => URL.parse(each)?.origin !== each || !/^https?:/.test(each))
  if (wrongOne !== undefined) wrongPart(env, name, wrongOne, 'an origin such as http://127.0.0.1:4000, or several, comma-separated')
  return found
}

/** What a browser runs or reads itself is no app. */
const BROWSERS_OWN = [
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'http',
  'https',
  'ws',
  'wss',
  'ftp',
  'view-source',
  'mailto',
]

export function schemes(env: Env, name: string): string[] {
  const found = list(env, name)
  const wrongOne = found.find(each => !/^[a-z][a-z0-9+.-]*$/.test(each) || BROWSERS_OWN.includes(each))
  if (wrongOne !== undefined)
    wrongPart(env, name, wrongOne, 'the scheme of an app in lower case, such as myeditor, or several, comma-separated')
  return found
}

function httpUrl(env: Env, name: string): URL | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return wrong(name, value, 'an http or https address, such as https://shop.example')
  return url
}

/** The address below which pages lie: their paths are put behind it, into headers too, and all clients see it. Written as it is sent: in ASCII. */
export function pageUrl(env: Env, name: string): string | undefined {
  const url = httpUrl(env, name)
  if (url && (/[?#]/.test(url.href) || url.username || url.password))
    wrong(name, text(env, name) ?? '', 'an address without a query or a password, such as https://docs.shop.example')
  return url?.href.replace(/\/+$/, '')
}

/** What a process can listen at. */
export function hostName(env: Env, name: string): string | undefined {
  const value = text(env, name)
  if (value === undefined || isIP(value) !== 0) return value
  if (!/^[\p{L}\p{N}._-]+$/u.test(value) || !URL.canParse(`http://${value}`))
    wrong(name, value, 'a name or an address without a port, such as 127.0.0.1, ::1 or localhost')
  return value
}

/** Cookies, the issuer of tokens and `/.well-known` hang on the origin. */
export function originUrl(env: Env, name: string): string | undefined {
  const url = httpUrl(env, name)
  if (!url) return undefined
  const { origin, pathname, search, hash, username, password } = url
  if (!/^\/+$/.test(pathname) || search || hash || username || password)
    wrong(name, text(env, name) ?? '', 'an origin without a path, such as https://shop.example')
  return origin
}

export function postgresUrl(env: Env, name: string): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const address = socketAddress(value) ?? value
  // The value holds a password, so it is not repeated.
  if (!/^postgres(ql)?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new OperatorError(`${name} is not a PostgreSQL address; it must look like postgres://user:password@host:5432/database.`)
  return address
}

// libpq takes the folder of a Unix socket in a parameter, and then allows a missing host, which URL does not. Both drivers understand one other
// form: the folder in the host's place.
function socketAddress(value: string): string | undefined {
  const url = URL.parse(value.replace(/^(\w+:\/\/(?:[^/?#@]*@)?)(?=[:/?])/, '$1localhost'))
  const folder = url?.searchParams.get('host')
  if (!url || !folder?.startsWith('/')) return undefined
  url.hostname = encodeURIComponent(folder)
  url.port = url.searchParams.get('port') ?? url.port
  // A Unix socket is never encrypted, whatever sslmode says, as with libpq.
  for (const name of ['host', 'port', 'sslmode']) url.searchParams.delete(name)
  return url.href
}

/** Whether the calendar has the day, written as 2025-03-26. */
function isDay(text: string): boolean {
  const at = Date.parse(text)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

export function versions(env: Env, name: string, fallback: string): string[] {
  const found = list(env, name)
  const wrongOne = found.find(each => !isDay(each))
  if (wrongOne !== undefined) wrongPart(env, name, wrongOne, `a date such as ${fallback}, or several, comma-separated`)
  return found.length > 0 ? found : [fallback]
}

export function schedule(env: Env, name: string, fallback: readonly number[]): readonly number[] {
  const value = text(env, name)
  if (value === undefined) return fallback
  const parts = value.split(',').map(part => part.trim())
  const seconds = parts.map(Number)
  const rising = seconds.every((second, index) => second >= (seconds[index - 1] ?? 0))
  const plain = parts.every(part => /^\d{1,6}(\.\d{1,3})?$/.test(part))
  if (!plain || !rising || seconds.length !== fallback.length)
    wrong(name, value, `${COUNTS[fallback.length]} rising numbers of seconds, such as ${fallback.join()}`)
  return seconds
}

const COUNTS: Record<number, string> = { 5: 'five', 6: 'six' }
