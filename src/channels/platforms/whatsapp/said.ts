// What a WhatsApp message says, by its type.
import type { Media, Place, Said } from '../../../conversations/update.ts'
import { count, entry, given, id, type Json, name, number, object, objects, text } from '../value.ts'

const FILES: Record<string, Media['type']> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'file',
  sticker: 'image',
}

type Words = Partial<Said> | undefined

export function saidOf(message: Json): Said {
  const type = text(message['type']) ?? 'unknown'
  const value = object(message[type]) ?? {}
  const quoted = id(object(message['context'])?.['id'])
  const file = entry(FILES, type)
  const said = file ? fileOf(file, value) : entry(READ, type)?.(value, message)
  return { text: null, media: [], ...(said ?? { unsupported: unsupportedOf(type, message) }), ...(quoted && { in_reply_to: quoted }) }
}

const READ: Record<string, (value: Json, message: Json) => Words> = {
  text: value => words(text(value['body'])),
  location: value => at(placeOf(value)),
  contacts: (_, message) => words(objects(message['contacts']).map(cardText).join('\n\n')),
  interactive: value => pressed(value),
  button: value => choice(text(value['text']), text(value['payload'])),
  order: value => words(orderText(value)),
}

const words = (said: string | undefined): Words => (said ? { text: said } : undefined)
const at = (location: Place | undefined): Words => location && { location }

function fileOf(type: Media['type'], value: Json): Words {
  const file_id = id(value['id'])
  if (!file_id) return undefined
  const claimed = { name: name(value['filename']), mime_type: name(value['mime_type']), size_bytes: count(value['file_size']) }
  return { text: text(value['caption']) ?? null, media: [{ type, source: { file_id }, ...given(claimed) }] }
}

function placeOf(value: Json): Place | undefined {
  const [latitude, longitude] = [number(value['latitude']), number(value['longitude'])]
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude, longitude, name: text(value['name']) ?? null, address: text(value['address']) ?? null }
}

/** Name, numbers and addresses, a line each. */
function cardText(card: Json): string {
  const called = text(object(card['name'])?.['formatted_name']) ?? 'A contact card'
  const phones = objects(card['phones']).map(each => text(each['phone']) ?? text(each['wa_id']))
  const emails = objects(card['emails']).map(each => text(each['email']))
  return [called, ...phones, ...emails].filter(each => each !== undefined).join('\n')
}

function pressed(value: Json): Words {
  const reply = object(value['button_reply']) ?? object(value['list_reply'])
  if (reply) return choice(text(reply['title']), id(reply['id']))
  const flow = object(value['nfm_reply'])
  return flow && words(text(flow['body']) ?? text(flow['name']))
}

const choice = (title: string | undefined, chosen: string | undefined): Words => {
  const said = title ?? chosen
  return said === undefined ? undefined : { text: said, ...(chosen && { choice_id: chosen }) }
}

/** A cart: what the customer wrote, then a line for each product. */
function orderText(value: Json): string {
  const lines = objects(value['product_items']).map(each => {
    const price = number(each['item_price'])
    const amount = price === undefined ? '' : `, ${price} ${text(each['currency']) ?? ''}`.trimEnd()
    return `${count(each['quantity']) ?? 1} × ${id(each['product_retailer_id']) ?? '?'}${amount}`
  })
  return [text(value['text']), ...lines].filter(each => each !== undefined).join('\n')
}

/** The new text of an edited message; of a file its caption. */
export function editedText(message: Json): string | null {
  const edited = object(object(message['edit'])?.['message']) ?? {}
  const value = object(edited[text(edited['type']) ?? '']) ?? {}
  return text(value['body']) ?? text(value['caption']) ?? null
}

// WhatsApp tells the kind of a message that it does not hand on, where it knows it.
function unsupportedOf(type: string, message: Json): string {
  const told = type === 'unsupported' ? name(object(message['unsupported'])?.['type']) : undefined
  return told ?? name(type) ?? 'unknown'
}
