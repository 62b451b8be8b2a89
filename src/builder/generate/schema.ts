// A description of an app, and the manifest that is drafted from it, as REST has them.
import { Type } from 'typebox'
import { conflict } from '../../ingress/problem-schemas.ts'
import { DESCRIPTION_CHARS } from '../../limits/builder.ts'
import { strict } from '../../schemas.ts'

export const NewDraft = strict(
  {
    description: Type.String({
      minLength: 1,
      maxLength: DESCRIPTION_CHARS,
      pattern: '\\S',
      description: 'What the app does, or how the given manifest is to change, in English sentences.',
    }),
    manifest: Type.Optional(Type.Unknown({ description: 'A manifest that is to be changed; a new one is written without it.' })),
  },
  { title: 'NewManifestDraft' },
)

export const Draft = Type.Object(
  {
    manifest: Type.Unknown({ description: 'The manifest. Its scopes are those that it uses.' }),
    valid: Type.Boolean({ description: 'Whether it can be installed as it is.' }),
    problems: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }, { title: 'ManifestProblem' }), {
      description: 'What an install would refuse.',
    }),
    notes: Type.Array(Type.String(), { description: 'What of the description was not understood, or left out and why.' }),
  },
  { title: 'ManifestDraft' },
)

/** As many drafts of a workspace as may wait for their turn. */
export const TooManyDrafts = conflict('too_many_drafts')
