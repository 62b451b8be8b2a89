import { type Static, Type } from 'typebox'
import { PERSONA_CHARS } from '../limits/assistant.ts'
import { LANGUAGE_TAG_CHARS } from '../limits/fields.ts'
import { anyCase, choice, strict, Time } from '../schemas.ts'

const TONES = ['neutral', 'friendly', 'professional', 'casual', 'formal'] as const

/** The customer's own language. */
export const AUTO = 'auto'

const Language = Type.String({ description: `A language tag (BCP 47), or ${AUTO}: the customer’s own.` })

/** How the assistant speaks. */
export const AiConfig = Type.Object(
  {
    tone: choice(TONES),
    language: Language,
    custom_instructions: Type.String({ description: 'What the shop wants its assistant to know and to do.' }),
    auto_reply: Type.Boolean({ description: 'Whether the assistant answers customers by itself.' }),
    knowledge_base: Type.Array(
      Type.Object(
        { id: Type.String(), title: Type.String(), source: choice(['app', 'workspace']), updated_at: Time },
        { additionalProperties: true },
      ),
      { description: 'What it answers from.' },
    ),
    version: Type.Integer({ minimum: 1, description: 'Grows by one with each change.' }),
    updated_at: Time,
  },
  { additionalProperties: true },
)
export type AiConfig = Static<typeof AiConfig>
export type Persona = Pick<AiConfig, 'tone' | 'language' | 'custom_instructions' | 'auto_reply'>

export const PersonaChange = strict(
  {
    tone: Type.Optional(anyCase(TONES, { description: 'How it sounds, in any case. Example: "friendly"' })),
    language: Type.Optional(
      Type.String({
        format: 'language',
        maxLength: LANGUAGE_TAG_CHARS,
        description: `What it answers in: a language tag (BCP 47) such as uk or pt-BR, or ${AUTO} for the customer’s own. Example: "uk"`,
      }),
    ),
    custom_instructions: Type.Optional(
      Type.String({
        maxLength: PERSONA_CHARS,
        'x-filled': 'or-empty',
        description: `What it should know and do, in your words, at most ${PERSONA_CHARS} characters; it replaces what was there, and an empty text removes it. Example: "Offer free shipping from 50 EUR."`,
      }),
    ),
    auto_reply: Type.Optional(
      Type.Boolean({ description: 'Whether it answers customers by itself, in all conversations. Example: false' }),
    ),
  },
  { minProperties: 1 },
)
export type PersonaChange = Static<typeof PersonaChange>
