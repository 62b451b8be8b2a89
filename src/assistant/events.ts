import { Type } from 'typebox'
import { ConversationId } from '../conversations/schema.ts'
import { defineEvent } from '../events/emit.ts'
import { choice, nullable, Time } from '../schemas.ts'

const STATUSES = ['pending', 'approved', 'denied', 'expired', 'withdrawn'] as const

/** What the assistant wants to do and a person decides. */
const Proposal = Type.Object({
  object: Type.Literal('proposal'),
  id: Type.String(),
  kind: choice(['create_order', 'save_custom_resource'], { description: 'What it wants to do.' }),
  status: choice(STATUSES),
  conversation_id: ConversationId,
  summary: Type.String({ description: 'What it wants to do, to the person who decides.' }),
  created_at: Time,
  expires_at: Time,
  decided_at: nullable(Time),
})

const pending = {
  object: 'proposal' as const,
  id: 'prop_01jz0000000000000000000000',
  kind: 'create_order' as const,
  status: 'pending' as const,
  conversation_id: 'conv_01jz0000000000000000000000',
  summary: 'Place an order of 2 × Linen shirt for Olena Kovalenko.',
  created_at: '2026-05-28T20:26:40.000Z',
  expires_at: '2026-05-29T20:26:40.000Z',
  decided_at: null,
}

const ProposalCreated = defineEvent(
  'proposal.created',
  'The assistant wants to do something that a person decides.',
  Type.Object({ proposal: Proposal }),
  { webhook: false, sent: false, example: { proposal: pending } },
)

const ProposalDecided = defineEvent(
  'proposal.decided',
  'What the assistant wanted to do was approved or denied, has expired, or was withdrawn.',
  Type.Object({
    proposal: Proposal,
    decision: choice(['approved', 'denied', 'expired', 'withdrawn']),
    by: nullable(Type.String({ description: 'The person who decided; null where it expired or was withdrawn.' })),
  }),
  {
    webhook: false,
    sent: false,
    example: {
      proposal: { ...pending, status: 'approved', decided_at: '2026-05-28T20:31:00.000Z' },
      decision: 'approved',
      by: 'usr_01jz0000000000000000000000',
    },
  },
)

export const events = [ProposalCreated, ProposalDecided]
