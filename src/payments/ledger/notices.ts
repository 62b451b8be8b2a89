// Mails to the admins about money that a person has to look at: queued with the change, one for each kind of matter in a set of updates.
import { MAILED_PAYMENTS_MAX } from '../../limits/payments.ts'
import { queueMail } from '../../mail/mail.ts'
import type { Tx } from '../../postgres/sql.ts'
import { admins } from '../../tenants/people.ts'
import type { Payment } from './schema.ts'

export interface Notice {
  kind: keyof typeof MATTERS
  payment: Payment
  /** What there is to say of it. */
  detail: string
}

const LIST = 'All of them: GET /api/v1/payments?status=mismatched,unmatched'
const ACCEPT = 'Give it back at your provider, or book it as it is: POST /api/v1/payments/{id}/accept'

const MATTERS = {
  'payment.mismatched': { subject: 'A payment is not what its order owes', advice: [ACCEPT, LIST] },
  'payment.unmatched': { subject: 'A payment belongs to no order', advice: [`${ACCEPT} with the order_id it is for`, LIST] },
  'payment.disputed': { subject: 'A payment is disputed', advice: ['Answer at your provider, before it is due.'] },
  'payment.dispute_closed': {
    subject: 'A dispute was decided',
    advice: ['A lost one is booked as a refund with the reason dispute, unless it is in another currency than its payment.'],
  },
  'refund.failed': {
    subject: 'A refund failed',
    advice: ['The customer has not got the money: give it back in another way, and record that.'],
  },
  'refund.currency': {
    subject: 'A refund is in another currency than its payment',
    advice: ['It was not booked: record what was given back, in the currency of the order.'],
  },
  'refund.too_large': {
    subject: 'A refund is larger than what was paid',
    advice: ['It was not booked. Was it recorded by hand as well? Then nothing is to be done.'],
  },
}

export async function tellAdmins(tx: Tx, tenant: string, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return
  const addressees = await admins(tx, tenant)
  for (const [kind, of] of Map.groupBy(notices, each => each.kind)) {
    const { subject, advice } = MATTERS[kind]
    const more = of.length > 1 ? ` (${of.length})` : ''
    const shown = of.slice(0, MAILED_PAYMENTS_MAX).flatMap(({ payment, detail }) => [...described(payment), detail, ''])
    const rest = of.length > MAILED_PAYMENTS_MAX ? [`… and ${of.length - MAILED_PAYMENTS_MAX} more.`, ''] : []
    for (const { email, workspace } of addressees) {
      const text = [`Workspace: ${workspace}`, '', ...shown, ...rest, ...advice].join('\n')
      await queueMail(tx, { tenant, kind, to: email, subject: `${subject}${more}`, text: `${text}\n` })
    }
  }
}

const described = ({ id, order_id, provider, reference, amount, currency }: Payment): string[] => [
  `Payment: ${id}, ${amount} ${currency} in minor units`,
  `Order: ${order_id ?? 'none'}`,
  `Provider: ${provider}${reference === null ? '' : `, ${reference}`}`,
]
