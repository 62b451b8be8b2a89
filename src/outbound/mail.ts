// Sends mail through the operator's server (SMTP_URL). Its address is not judged: the operator sets it, no tenant.
import { createTransport } from 'nodemailer'
import type { MailConfig } from '../config.ts'
import { MAIL_TIMEOUT_MS } from '../limits/mail.ts'

export interface Message {
  /** One address. */
  to: string
  subject: string
  /** Plain text. */
  text: string
  /** The same in every attempt, so that a server or a reader can recognise a repetition. Without angle brackets or domain. */
  id: string
  /** An address that ends such mails when it is posted to. */
  unsubscribe?: string
}

/** Without an error, the server has taken the mail. */
export type Posted = { error?: never } | { error: string }

export interface Mailer {
  /** Never rejects. It opens a connection for each mail: mails are few. */
  send(message: Message, signal?: AbortSignal): Promise<Posted>
}

export function createMailer({ smtpUrl, from }: MailConfig): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
  })
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1]
  return {
    async send({ to, subject, text, id, unsubscribe }, signal) {
      const limit = AbortSignal.timeout(MAIL_TIMEOUT_MS)
      try {
        await transport.sendMail({
          from,
          // An object is read as one address, whatever it contains.
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe !== undefined && endedBy(unsubscribe)) },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        })
        return {}
      } catch (error) {
        return { error: limit.aborted ? `the mail server took longer than ${MAIL_TIMEOUT_MS / 1000} s` : (error as Error).message }
      }
    },
  }
}

/** The button of mail programs for no more of these mails: RFC 2369, and RFC 8058, by which they post to an https address and open none. */
const endedBy = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

// Tenants choose some of the text: a line break in a header would begin another header.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')
