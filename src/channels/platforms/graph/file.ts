// Where a file lies: https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media. Its address lives for five minutes, and wants the token too.
import type { Located, Unlocated } from '../../../attachments/origin.ts'
import type { Asked } from '../ask.ts'
import { count, text } from '../value.ts'
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

/** Hosts of Meta's that hold files and read the token. */
const META = /\.(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/
