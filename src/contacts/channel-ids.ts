// The ids of people on a channel: how one may be spelled, and where it names the same person.
import { spellings } from './phone.ts'

export interface Channel {
  id: string
  platform: string
}

/** The ids under which a channel may know the person of this one: WhatsApp writes the numbers of some countries in two ways. */
export const spelled = ({ platform }: Channel, id: string): string[] =>
  platform === 'whatsapp' && NUMBER.test(id) ? [id, ...spellings(`+${id}`).map(each => each.slice(1))] : [id]

/** The same, on all channels of the platform: where its ids name a person on each. The ids of other platforms hold for one account. */
export function everywhere(channel: Channel, id: string): string[] {
  if (channel.platform === 'telegram') return [id]
  return channel.platform === 'whatsapp' && NUMBER.test(id) ? spelled(channel, id) : []
}

const NUMBER = /^[1-9][0-9]{6,14}$/
