// Adds a tag to the contact that the event is about, or that it was merged into while the run waited. Adding it twice is one tag and one event.
import { isBlank } from '../../blank.ts'
import { tag } from '../../contacts/contacts.ts'
import { currentId, wasMerged } from '../../contacts/merge.ts'
import { TAG_CHARS } from '../../limits/fields.ts'
import { invalid } from '../../problems.ts'
import { renderText } from '../language/render.ts'
import { requireSubject } from '../language/subject.ts'
import type { LocalStep } from './local.ts'

export const tagContact: LocalStep<'tag_contact', { tag: string }> = {
  render: (step, around) => ({ tag: renderText(step.tag, around, 'tag').trim() }),
  async act({ tx, caller, around }, input) {
    const contact_id = requireSubject(around, 'contact')
    if (isBlank(input.tag)) throw invalid({ field: 'tag', code: 'blank', message: 'holds nothing that can be seen once it is rendered.' })
    if (input.tag.length > TAG_CHARS)
      throw invalid({ field: 'tag', code: 'too_long', message: `has ${input.tag.length} characters; a tag has ${TAG_CHARS} at most.` })
    const { contact, added } = await tag(tx, caller, contact_id, input.tag).catch(async error => {
      if (!wasMerged(error)) throw error
      return tag(tx, caller, await currentId(tx, caller.tenant, contact_id), input.tag)
    })
    return { output: { contact_id: contact.id, added } }
  },
}
