// Loaded before a worker (NODE_OPTIONS), it makes the worker die, as by a lack of memory, when it reads, signs or mails a text that holds the poison.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

const POISON = 'deadly-poison'
const isPoisoned = (text: unknown): boolean => (Buffer.isBuffer(text) || typeof text === 'string' ? text.includes(POISON) : false)
const die = (): never => process.kill(process.pid, 'SIGKILL') as never

const parse = JSON.parse
JSON.parse = (text, reviver) => (isPoisoned(text) ? die() : parse(text, reviver))

const { createHmac } = crypto
crypto.createHmac = (...args) => {
  const hmac = createHmac(...args)
  const update = hmac.update.bind(hmac) as (data: unknown) => crypto.Hmac
  hmac.update = ((data: unknown) => (isPoisoned(data) ? die() : update(data))) as typeof hmac.update
  return hmac
}
syncBuiltinESMExports()

const write = Socket.prototype.write as (...args: unknown[]) => boolean
Socket.prototype.write = function (this: Socket, ...args: unknown[]): boolean {
  return isPoisoned(args[0]) && this.remotePort === Number(process.env['POISONED_PORT']) ? die() : write.apply(this, args)
} as typeof Socket.prototype.write
