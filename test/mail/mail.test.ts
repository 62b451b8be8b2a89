// Mail, against a real SMTP server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { pino } from 'pino'
import { loadConfig } from '../../src/config.ts'
import { OperatorError } from '../../src/errors.ts'
import { emptyOldLinks, LINK, list, type MailContext, queueMail, send, written } from '../../src/mail/mail.ts'
import type { NewMail } from '../../src/mail/store.ts'
import { createMailer } from '../../src/outbound/mail.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin } from '../../src/postgres/sql.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { testApp } from '../support/app.ts'
import { command } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startTcpServer, testCertificate } from '../support/receiver.ts'
import { aWebBrowser } from '../support/web-browser.ts'

setDefaultCACertificates([...getCACertificates('default'), testCertificate])
const FROM = 'Shopdesk <shop@shop.example>'
const server = await startMailServer()
const app = await testApp({ SMTP_URL: server.url, MAIL_FROM: FROM })
const { sql } = app
const shop = await app.tenant()
const silent = pino({ level: 'silent' })
const post: MailContext = { sql, standing: UNWATCHED, mailer: createMailer({ smtpUrl: server.url, from: FROM }), log: silent }

/** Queues a mail and takes its job out of the queue, so that the test is the worker. */
async function given(over: Partial<NewMail> = {}): Promise<string> {
  const mail = { tenant: shop.id, kind: 'test', to: 'ada@shop.example', subject: 'A subject', text: 'A text\n', ...over }
  await begin(sql, tx => queueMail(tx, mail))
  await sql`delete from graphile_worker._private_jobs`
  return (await list(sql, shop.id, 1))[0]?.id as string
}

const row = async (id: string) => (await list(sql, shop.id, 50)).find(mail => mail.id === id)

test('a mail reaches the server as it was written', async () => {
  const id = await given({ subject: 'Grüße: 50 % & more', text: `Line one\n.\nÜber alles\nOf a shop: ${LINK}\n` })
  await send(post, shop.id, id)
  const mail = server.mails.at(-1)
  assert.ok(mail)
  assert.equal(mail.from, 'shop@shop.example')
  assert.deepEqual(mail.to, ['ada@shop.example'])
  assert.equal(mail.headers['from'], FROM)
  assert.equal(mail.headers['to'], 'ada@shop.example')
  assert.match(mail.headers['subject'] ?? '', /^=\?UTF-8\?[QB]\?/)
  assert.equal(mail.headers['message-id'], `<${shop.id}.${id}@shop.example>`)
  assert.equal(mail.headers['auto-submitted'], 'auto-generated')
  assert.equal(mail.text, `Line one\n.\nÜber alles\nOf a shop: ${LINK}\n`)
  const { sent_at, attempts, error } = (await row(id)) ?? {}
  assert.ok(sent_at)
  assert.deepEqual([attempts, error], [1, null])
})

test('a mail that says where such mails are ended has the headers for the button of mail programs, and no other has them', async () => {
  const headersOf = async (over: Partial<NewMail>) => {
    await send(post, shop.id, await given(over))
    const headers = server.mails.at(-1)?.headers ?? {}
    return [headers['list-unsubscribe'], headers['list-unsubscribe-post']]
  }
  // Longer than a line of a header may be.
  const url = `https://shop.example/chat/stop/chn_01jz0000000000000000000000/${'a'.repeat(40)}`
  assert.deepEqual(await headersOf({ unsubscribe: url }), [`<${url}>`, 'List-Unsubscribe=One-Click'])
  assert.deepEqual(await headersOf({ unsubscribe: 'http://localhost:3000/stop' }), ['<http://localhost:3000/stop>', undefined])
  assert.deepEqual(await headersOf({}), [undefined, undefined])
})

test('the page for a new password sends people to their mail, where it is sent', async () => {
  const { status, text } = await aWebBrowser(app.url).send('/forgot', { email: 'ada@shop.example' })
  await sql`delete from graphile_worker._private_jobs`
  assert.deepEqual([status, text.includes('a link is on its way')], [200, true])
})

test('a link is in the mail that is sent, and neither in the table after that, nor in the log, nor when it is too old', async () => {
  const link = { url: 'https://shop.example/reset/rst_secret', minutes: 60 }
  const id = await given({ text: `Open ${LINK} now.\n`, link })
  const lines: string[] = []
  await send({ ...post, mailer: undefined, log: pino({}, { write: line => void lines.push(line) }) }, shop.id, id)
  assert.match(lines.join(''), /a mail is kept/)
  assert.doesNotMatch(lines.join(''), /rst_secret/)
  const textOf = async (mail: string) => written((await row(mail)) as Parameters<typeof written>[0])
  assert.equal(await textOf(id), 'Open https://shop.example/reset/rst_secret now.\n')
  server.refuseNext('451 later')
  await assert.rejects(send(post, shop.id, id))
  await send(post, shop.id, id)
  assert.equal(server.mails.at(-1)?.text, 'Open https://shop.example/reset/rst_secret now.\n')
  const old = await given({ text: `Open ${LINK} now.\n`, link })
  await sql`update mails set link_until = now() - interval '1 second' where id = ${old}`
  await pruneAll(sql, emptyOldLinks)
  for (const mail of [id, old]) assert.match(await textOf(mail), /^Open \(the link was taken out/)
  const [left] = await sql`select count(*)::int as n from mails where link is not null or text like '%rst_secret%'`
  assert.equal(left?.['n'], 0)
})

test('a mail that was sent is not sent again, and a mail that one process sends is not sent by a second', async () => {
  const id = await given()
  const before = server.mails.length
  const both = await Promise.allSettled([send(post, shop.id, id), send(post, shop.id, id)])
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  await send(post, shop.id, id)
  assert.equal(server.mails.length, before + 1)
})

test('a claim lapses after its process died', async () => {
  const id = await given()
  await sql`update mails set attempts = 1, claimed_until = now() - interval '1 second' where id = ${id}`
  await send(post, shop.id, id)
  assert.equal((await row(id))?.attempts, 2)
})

test('no text of a tenant’s makes another header or another recipient', async () => {
  const nasty = 'Hello\r\nBcc: evil@evil.example\r\n\r\nA body'
  const before = server.mails.length
  await send(post, shop.id, await given({ subject: nasty, text: `${nasty}\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n` }))
  assert.equal(server.mails.length, before + 1)
  const mail = server.mails.at(-1)
  assert.equal(mail?.headers['subject'], 'Hello Bcc: evil@evil.example A body')
  assert.equal(mail?.headers['bcc'], undefined)
  assert.deepEqual(mail?.to, ['ada@shop.example'])
  const recipients = [
    'a@b.example,evil@evil.example',
    'a@b.example>\r\nRCPT TO:<evil@evil.example',
    'evil@evil.example <a@b.example>',
    'a: b@b.example;',
  ]
  for (const to of recipients) {
    const from = server.mails.length
    await send(post, shop.id, await given({ to })).catch(() => {})
    for (const taken of server.mails.slice(from)) {
      assert.equal(taken.to.length, 1, to)
      assert.ok(!taken.to.includes('evil@evil.example'), to)
      assert.equal(taken.headers['bcc'], undefined)
    }
  }
})

test('a mail queued in a transaction that is rolled back is neither kept nor sent', async () => {
  const before = (await list(sql, shop.id, 50)).length
  const mail = { tenant: shop.id, kind: 'test', to: 'ada@shop.example', subject: 'S', text: 'T' }
  await assert.rejects(
    begin(sql, async tx => {
      await queueMail(tx, mail)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.equal((await list(sql, shop.id, 50)).length, before)
  assert.equal((await sql`select 1 from graphile_worker._private_jobs`).length, 0)
})

test('a server that is silent, gone or refuses is an error on the mail, in words', async () => {
  const mute = await startTcpServer(() => {})
  const message = { to: 'ada@shop.example', subject: 'S', text: 'T', id: 'm1' }
  const slow = createMailer({ smtpUrl: mute.origin.replace('http', 'smtp'), from: FROM })
  const { error } = await slow.send(message, AbortSignal.timeout(100))
  assert.ok(error)
  await mute.close()
  assert.match((await slow.send(message)).error ?? '', /ECONNREFUSED/)

  server.refuseNext('452 mailbox full')
  const id = await given()
  await assert.rejects(send(post, shop.id, id), /mailbox full/)
  const { sent_at, attempts, error: told } = (await row(id)) ?? {}
  assert.deepEqual([sent_at, attempts], [null, 1])
  assert.match(told ?? '', /mailbox full/)
})

test('without a mail server a mail is kept, shown in the log and by the command line', async () => {
  const lines: string[] = []
  const id = await given({ subject: 'No server sends this', text: 'But here it is\n' })
  await send(
    { sql, standing: UNWATCHED, mailer: undefined, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) },
    shop.id,
    id,
  )
  assert.equal(lines.length, 1)
  const logged = JSON.parse(lines[0] as string)
  assert.deepEqual([logged.level, logged.mail.recipient, logged.mail.text], [30, 'ada@shop.example', 'But here it is\n'])
  assert.equal((await row(id))?.sent_at, null)

  const env = { DATABASE_URL: app.databaseUrl, SECRET_KEY: '00'.repeat(32) }
  const list = ['mail', 'list', '--tenant', shop.id]
  const { stdout } = await command(list, env)
  assert.match(stdout, /test {2}to ada@shop\.example {2}not sent\n {2}No server sends this\n\n {2}But here it is\n/)
  assert.equal(JSON.parse((await command([...list, '--json'], env)).stdout).data[0].id, id)
})

test('mail goes over TLS where the server offers it, with the user and password of the URL', async () => {
  const strict = await startMailServer({
    authOptional: false,
    onAuth: ({ username, password }, _, done) => done(password === 'pass/word' ? null : new Error('wrong'), { user: username ?? '' }),
  })
  const mail = { to: 'ada@shop.example', subject: 'S', text: 'T', id: 'm1' }
  const ask = (smtpUrl: string) => createMailer({ smtpUrl, from: FROM }).send(mail)
  assert.deepEqual(await ask(`smtp://ann:pass%2Fword@localhost:${strict.port}`), {})
  assert.deepEqual([strict.mails[0]?.secure, strict.mails[0]?.user], [true, 'ann'])
  assert.match((await ask(`smtp://ann:wrong@localhost:${strict.port}`)).error ?? '', /535|Invalid login/)
  const implicit = await startMailServer({ secure: true })
  assert.deepEqual(await ask(`smtps://localhost:${implicit.port}`), {})
  const plain = await startMailServer({ disabledCommands: ['STARTTLS'] })
  assert.ok((await ask(`smtp://localhost:${plain.port}?requireTLS=true`)).error)
  assert.equal(plain.mails.length, 0)
})

test('wrong settings are named', () => {
  const wrong = (env: Record<string, string>, told: RegExp) =>
    assert.throws(
      () => loadConfig({ SECRET_KEY: '00'.repeat(32), ...env }),
      (error: Error) => error instanceof OperatorError && told.test(error.message),
    )
  wrong({ SMTP_URL: 'http://mail.example', MAIL_FROM: 'a@b.example' }, /^SMTP_URL is not a mail server/)
  wrong({ SMTP_URL: 'smtp://', MAIL_FROM: 'a@b.example' }, /^SMTP_URL/)
  wrong({ SMTP_URL: 'smtp://user:hunter2@', MAIL_FROM: 'a@b.example' }, /^SMTP_URL(?!.*hunter2)/)
  wrong({ SMTP_URL: 'smtp://mail.example' }, /^MAIL_FROM is not set/)
  for (const from of ['nobody', 'a@b@c', 'Shop <a@b.example', 'a b@c.example', 'Shop <a@b.example>, x@y.example'])
    wrong({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: from }, /^MAIL_FROM is /)
  assert.equal(loadConfig({}).mail, undefined)
  const mail = { SMTP_URL: 'smtps://u:p@mail.example:465', MAIL_FROM: 'a@b.example' }
  assert.deepEqual(loadConfig(mail).mail, { smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM })
})

test('the worker sends what was queued, and a refused mail again after the queue’s back-off', async () => {
  await app.startWorker()
  server.refuseNext('451 greylisted, come back later')
  const before = server.mails.length
  await begin(sql, tx => queueMail(tx, { tenant: shop.id, kind: 'test', to: 'bob@shop.example', subject: 'S', text: 'T' }))
  const [job] = await eventually(async () => {
    const rows =
      await sql`select id, attempts, run_at > now() as later from graphile_worker._private_jobs where attempts = 1 and locked_at is null`
    return rows.length > 0 && rows
  })
  assert.deepEqual([job?.['attempts'], job?.['later']], [1, true])
  assert.equal(server.mails.length, before)
  await sql`update graphile_worker._private_jobs set run_at = now()`
  await eventually(async () => (await list(sql, shop.id, 1))[0]?.sent_at ?? undefined)
  assert.equal(server.mails.length, before + 1)
  await eventually(async () => (await sql`select 1 from graphile_worker._private_jobs`).length === 0)
})
