// Where a file lies: https://core.telegram.org/bots/api#getfile. Its address lives for an hour.
import type { Located, Unlocated } from '../../../attachments/origin.ts'
import type { Asked } from '../ask.ts'
import { count, text } from '../value.ts'
import { call } from './call.ts'

export async function locate(bot: Asked, file_id: string): Promise<Located | Unlocated> {
  const told = await call(bot, 'getFile', { file_id })
  if (told.refused !== undefined)
    return told.refused.includes('file is too big') ? TOO_BIG : { again: { code: 'unavailable', message: told.refused } }
  const path = text(told.value['file_path'])
  if (path === undefined) return { again: { code: 'unavailable', message: 'Telegram names no path of the file.' } }
  const size = count(told.value['file_size'])
  // The token is a part of the address: a redirect is asked for without it, and no header holds one.
  return { url: `${bot.apiUrl}/file/bot${bot.token}/${path}`, headers: {}, trusts: () => false, ...(size !== undefined && { size }) }
}

const TOO_BIG: Unlocated = { gone: { code: 'too_large', message: 'Telegram hands out no file of this size to bots: 20 MB at most.' } }
