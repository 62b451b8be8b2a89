// Where a file lies: https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media. Its address lives for five minutes, and wants the token too.
import type { Located, Unlocated } from '../../../attachments/origin.ts'
import type { Asked } from '../ask.ts'
import { count, object, objects, text } from '../value.ts'
import { call } from './call.ts'

export async function locate(asked: Asked, file_id: string): Promise<Located | Unlocated> {
  const told = await call(asked, `/${encodeURIComponent(file_id)}`)
  if (told.refused !== undefined) return { again: { code: 'unavailable', message: told.refused } }
  const url = text(told.value['url'])
  if (url === undefined) return { again: { code: 'unavailable', message: 'Meta names no address of the file.' } }
  const size = count(told.value['file_size'])
  const api = URL.parse(asked.apiUrl)?.host
  const trusts = ({ host, port, hostname }: URL): boolean => host === api || (port === '' && META.test(hostname))
  return { url, headers: { Authorization: `Bearer ${asked.token}` }, trusts, ...(size !== undefined && { size }) }
}

/**
 * Where a file of a message of Messenger or Instagram lies by now: https://developers.facebook.com/docs/graph-api/reference/message (November 2026). Addresses of
 * callbacks expire, and the files have no ids of their own there.
 * @param part which of the message's files, from nought
 * @returns undefined where Meta does not say: stories and posts that were shared are no attachments there
 */
export async function attachedTo(asked: Asked, message: string, part: number): Promise<string | undefined> {
  const told = await call(asked, `/${encodeURIComponent(message)}?fields=attachments`)
  if (told.refused !== undefined) return undefined
  const file = objects(object(told.value['attachments'])?.['data'])[part]
  return text(object(file?.['image_data'])?.['url']) ?? text(object(file?.['video_data'])?.['url']) ?? text(file?.['file_url'])
}

/** Hosts of Meta's that hold files and read the token. */
const META = /\.(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/
