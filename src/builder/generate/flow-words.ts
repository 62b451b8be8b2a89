// The words by which people name a flow that is there: what it begins with, when, and what it does.
import type { Flow } from '../../apps/manifest/shape.ts'

const list = (text: string): string[] => text.split(' ')
const BEGINS: [RegExp, string[]][] = [
  [/\.created$/, list('new newly placed created made added')],
  [/^order\.paid$/, list('paid pays pay payment bought buys buy spends spenders spending')],
  [/^order\.shipped$/, list('shipped ships shipping sent dispatched')],
  [/^order\.cancelled$/, list('cancelled canceled cancels cancellation cancellations')],
  [/^order\.refunded$/, list('refunded refund refunds')],
  [/^order\.status_changed$/, list('status changed changes delivered returned confirmed')],
  [/^product\.low_stock$/, list('low stock running runs scarce')],
  [/^message\.received$/, list('received incoming writes written asks mentions contains')],
  [/^conversation\./, list('new started starts begun closed chat chats')],
  [/^payment\.disputed$/, list('disputed disputes chargeback chargebacks')],
]
const OPS: Partial<Record<string, string[]>> = {
  gt: list('over above more'),
  gte: list('least from minimum'),
  lt: list('under below less fewer'),
  lte: list('most up maximum'),
}
const DOES: Record<Flow['steps'][number]['type'], string[]> = {
  tag_contact: list('tag tags tagging tagged'),
  notify: list('notify notifies notifying notified team alert alerting warn warning tell telling'),
  send_message: list('send sending sent message messaging ask asking write writing'),
  wait: list('wait waits waiting pause'),
  call_skill: list('call calls calling service'),
  create_record: list('create creates creating record save saving'),
  update_record: list('update updates updating record'),
}

export const flowWords = ({ trigger, conditions = [], steps }: Flow): string[] => [
  ...BEGINS.flatMap(([pattern, words]) => (pattern.test(trigger) ? words : [])),
  ...conditions.flatMap(({ op }) => OPS[op] ?? []),
  ...(conditions.length > 0 ? ['only'] : []),
  // The amount is of whichever money an order is in.
  ...(conditions.some(({ field }) => field.endsWith('_amount')) ? list('euro euros eur dollar dollars usd pound pounds gbp') : []),
  ...steps.flatMap(({ type }) => DOES[type]),
]
