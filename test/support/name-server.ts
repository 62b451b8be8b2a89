// A DNS server of a test's own, on a UDP port of loopback: a function gives the answer for each name.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onOwnPort } from './ports.ts'

/** Addresses (of both families), at once or later, or a response code: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. Undefined: no answer at all. */
export type Said = { addresses: string[]; ttl?: number; afterMs?: number } | number | undefined

export interface NameServer {
  /** To be given to the outbound client. */
  files: { resolvConf: string; hosts: string }
  /** As resolv.conf names it. */
  address: string
  /** The questions so far, such as `shop.example A`. */
  asked: string[]
  /** From now on its port is closed, which the sender notices, or it answers nothing. */
  away(how: 'closed' | 'silent'): Promise<void>
  back(): Promise<void>
  close(): Promise<void>
}

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }

export async function startNameServer(say: (name: string, type: 'A' | 'AAAA' | 'other') => Said, options = ''): Promise<NameServer> {
  const folder = await mkdtemp(join(tmpdir(), 'names-'))
  const files = { resolvConf: join(folder, 'resolv.conf'), hosts: join(folder, 'hosts') }
  const asked: string[] = []
  let silent = false
  let open = true
  let socket = await onOwnPort(listen)
  const { port } = socket.address()
  const address = `127.0.0.1:${port}`
  writeFileSync(files.hosts, '')
  writeFileSync(files.resolvConf, `nameserver ${address}\n${options}\n`)

  async function listen(at: number) {
    const opened = createSocket('udp4')
    opened.on('message', (question, from) => {
      const { name, type, end } = parse(question)
      asked.push(`${name} ${type}`)
      const said = silent ? undefined : say(name, type)
      if (said === undefined) return
      const reply = () => opened === socket && open && opened.send(answer(question.subarray(0, end), type, said), from.port, from.address)
      if (typeof said === 'object' && said.afterMs) setTimeout(reply, said.afterMs).unref()
      else reply()
    })
    opened.bind(at, '127.0.0.1')
    await once(opened, 'listening')
    return opened
  }

  async function setOpen(to: boolean): Promise<void> {
    if (open && !to) {
      socket.close()
      await once(socket, 'close')
    }
    if (to && !open) socket = await listen(port)
    open = to
  }
  return {
    files,
    address,
    asked,
    async away(how) {
      silent = true
      await setOpen(how === 'silent')
    },
    async back() {
      silent = false
      await setOpen(true)
    },
    async close() {
      await setOpen(false)
      await rm(folder, { recursive: true })
    },
  }
}

function parse(question: Buffer): { name: string; type: 'A' | 'AAAA' | 'other'; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] as number; length > 0; length = question[at] as number) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[question.readUInt16BE(at + 1)] ?? 'other', end: at + 5 }
}

function answer(question: Buffer, type: 'A' | 'AAAA' | 'other', said: Exclude<Said, undefined>): Buffer {
  const { addresses, ttl = 60 } = typeof said === 'number' ? { addresses: [] } : said
  const records = addresses.filter(address => type === (address.includes(':') ? 'AAAA' : 'A')).map(bytesOf)
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 + (typeof said === 'number' ? said : 0), 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records.flatMap(address => [recordHead(address.length === 4 ? 1 : 28, ttl, address.length), address])])
}

function recordHead(type: number, ttl: number, length: number): Buffer {
  const head = Buffer.alloc(12)
  // The name of the question, which is at 12.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(length, 10)
  return head
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [before = '', after = ''] = address.split('::')
  const groups = [before, after].map(part => part.split(':').filter(Boolean))
  const [head = [], tail = []] = groups
  const words = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
  return Buffer.from(words.map(word => word.padStart(4, '0')).join(''), 'hex')
}
