// Requests as bytes, made ahead: a benchmark then only sends them.
import type { Key } from './dataset.ts'

export const get = (path: string, key?: Key): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization(key)}\r\n`)

/** As a browser asks for a page, in a session. */
export const getPage = (path: string, cookies: Map<string, string>): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nCookie: ${[...cookies].map(cookie => cookie.join('=')).join('; ')}\r\n\r\n`,
  )

export function post(path: string, key: Key, body: unknown): Buffer {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization(key)}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`,
  )
}

export function form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Buffer {
  const text = new URLSearchParams(fields).toString()
  const lines = Object.entries({ ...headers, 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': `${text.length}` })
  return Buffer.from(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.map(line => `${line.join(': ')}\r\n`).join('')}\r\n${text}`)
}

const authorization = (key: Key | undefined): string => (key ? `Authorization: Bearer ${key.key}\r\n` : '')
