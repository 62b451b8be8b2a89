// A real SMTP server on loopback that keeps what it was sent. Takes everything unless told otherwise.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface TakenMail {
  /** The envelope's addresses, which decide where the mail goes. */
  from: string
  to: string[]
  /** Names in lower case; folded lines joined. */
  headers: Record<string, string>
  text: string
  secure: boolean
  user: string | undefined
}

export interface MailServer {
  port: number
  url: string
  mails: TakenMail[]
  /** The refusals of the next mails, one each. */
  refuseNext(...replies: string[]): void
}

const file = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: TakenMail[] = []
  const refusals: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    cert: file('receiver-test-only.cert.pem'),
    key: file('receiver-test-only.key.pem'),
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const refusal = refusals.shift()
      if (refusal !== undefined) return done(Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) }))
      const { mailFrom, rcptTo } = session.envelope
      mails.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(each => each.address),
        ...parse(Buffer.concat(chunks).toString()),
        secure: session.secure,
        user: session.user === undefined ? undefined : String(session.user),
      })
      done()
    },
    ...options,
  })
  // Tests do not care about clients that break off.
  server.on('error', () => {})
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  after(() => new Promise<void>(resolve => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { port, url: `smtp://localhost:${port}`, mails, refuseNext: (...replies) => void refusals.push(...replies) }
}

function parse(source: string): Pick<TakenMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]))
  return { headers, text: decode(source.slice(end + 4), headers['content-transfer-encoding']).replaceAll('\r\n', '\n') }
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
