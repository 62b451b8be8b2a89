// What a platform takes: the rules that a message to a customer has to keep, by the limits of its channel.
import { isBlank } from '../blank.ts'
import type { Account } from '../channels/accounts/accounts.ts'
import { type FileKind, lengthOf } from '../channels/platforms/limits.ts'
import { areButtons, numbered } from '../channels/platforms/sender.ts'
import { TEXT_CHARS } from '../limits/conversations.ts'
import { invalid, Problem } from '../problems.ts'
import type { Attachment, NewMessage } from './schema.ts'

type Said = Pick<NewMessage, 'text' | 'choices' | 'template' | 'private' | 'attachments'>

/** What no channel takes. @throws {Problem} 422 */
export function refuseEmpty(said: Said): void {
  const { text, attachments = [], choices, template } = said
  if (text !== undefined && isBlank(text)) throw refusal('text', 'blank', 'holds nothing that can be seen.')
  if (said.private && text !== undefined && text.length > TEXT_CHARS)
    throw refusal('text', 'too_long', `has ${text.length} characters; a note has ${TEXT_CHARS} at most.`, { max: TEXT_CHARS })
  if (text === undefined && attachments.length === 0 && !template)
    throw refusal('text', 'required', 'is required, or a file, or a template.')
  const alone = said.private ? 'private' : template ? 'template' : undefined
  for (const field of FIELDS_BESIDE[alone ?? 'none'])
    if (said[field] !== undefined) throw refusal(field, 'not_combinable', `does not go with ${alone}.`)
  if (choices && text === undefined) throw refusal('text', 'required', 'is required beside choices: it asks what they answer.')
  const blank = choices?.findIndex(each => isBlank(each.title)) ?? -1
  if (blank >= 0) throw refusal(`choices[${blank}].title`, 'blank', 'holds nothing that can be seen.')
  const ids = choices?.map(each => each.id) ?? []
  if (new Set(ids).size < ids.length) throw refusal('choices', 'duplicate_id', 'has two choices of one id.')
}

const FIELDS_BESIDE = {
  private: ['choices', 'template'],
  template: ['text', 'attachments', 'choices'],
  none: [],
} as const

/** What this channel does not take. @throws {Problem} 422 */
export function refuseUnfit({ limits, platform }: Account, said: Said, files: Attachment[]): void {
  if (said.template && !limits.templates)
    throw refusal('template', 'template_unsupported', `is something that ${platform} does not have; write a text.`)
  for (const [index, file] of files.entries()) refuseFile(limits, platform, file, index)
  if (said.text === undefined) return
  const max = textMax(limits, files[0])
  if (max === undefined)
    throw refusal('text', 'caption_unsupported', `cannot stand beside a file of type ${files[0]?.type} on ${platform}; send two messages.`)
  const length = lengthOf(asSent(limits, said.text, said.choices), limits)
  if (length > max) throw refusal('text', 'too_long', `has ${length} ${limits.text_unit}; ${platform} takes ${max} at most.`, { max })
}

type Limits = Account['limits']

/** The text with its choices, where they are lines of it. */
const asSent = (limits: Limits, text: string, choices: NewMessage['choices'] = []): string =>
  choices.length === 0 || areButtons(text, limits) ? text : numbered(text, choices)

const textMax = ({ text_max, captions }: Limits, file: Attachment | undefined): number | undefined =>
  file ? captions[file.type] : text_max

function refuseFile({ files }: Limits, platform: string, { type, mime_type, size_bytes }: Attachment, index: number): void {
  const field = `attachments[${index}]`
  const carried = files[type]
  if (!carried) {
    const allowed = Object.keys(files) as FileKind[]
    throw refusal(field, 'attachment_unsupported', `is of type ${type}; ${platform} carries ${allowed.join(', ') || 'none'}.`, { allowed })
  }
  const types = carried.mime_types
  if (types && !types.includes(mime_type)) {
    const allowed = [...types]
    throw refusal(field, 'attachment_unsupported', `is ${mime_type}; of type ${type} ${platform} carries ${allowed.join(', ')}.`, {
      allowed,
    })
  }
  if ((size_bytes ?? 0) > carried.bytes) {
    const max = carried.bytes
    throw refusal(field, 'attachment_too_large', `has ${size_bytes} bytes; of type ${type} ${platform} carries ${max} at most.`, { max })
  }
}

/** A 422 of one field. @param members further members of the problem document */
export function refusal(field: string, code: string, message: string, members: Record<string, unknown> = {}): Problem {
  const problem = invalid({ field, code, message })
  return new Problem(problem.type, problem.message, { ...problem.members, ...members })
}
