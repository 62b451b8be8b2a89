// Meta's error codes, each row of the table of answers: as the answer to a message, and as a failure that is reported later.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import type { Sender } from '../../src/channels/platforms/sender.ts'
import { SENDERS } from '../../src/channels/platforms/senders.ts'
import { read } from '../../src/channels/platforms/whatsapp/read.ts'
import { verdictOf } from '../../src/channels/sending/verdict.ts'
import type { Answer } from '../../src/outbound/outcome.ts'

interface Row {
  errors: { code: number; error_subcode?: number; is_transient?: boolean }[]
  answered: string
  /** Our code, where it is told of after the message was taken. */
  reported: string
}
const of = (...codes: number[]) => codes.map(code => ({ code }))

const ROWS: Row[] = [
  { errors: of(4, 17, 32, 613, 80007, 130429, 131056, 131057), answered: 'held', reported: 'rejected' },
  { errors: [...of(1, 2, 131000, 131016), { code: 999, is_transient: true }], answered: 'again', reported: 'rejected' },
  { errors: of(190, 10, 200, 230, 299, 368, 131031, 131048), answered: 'credentials', reported: 'rejected' },
  { errors: of(131026, 131030, 551), answered: 'recipient_unreachable', reported: 'recipient_unreachable' },
  {
    errors: [{ code: 131047 }, { code: 10, error_subcode: 2018278 }, { code: 10, error_subcode: 2534022 }],
    answered: 'reply_window_closed',
    reported: 'reply_window_closed',
  },
  { errors: [...of(100, 199, 300, 131051), { code: 100, error_subcode: 2018278 }], answered: 'rejected', reported: 'rejected' },
]

const answer = (status: number, error: object): Answer => ({
  status,
  headers: {},
  body: JSON.stringify({ error: { message: 'Words', ...error } }),
  truncated: false,
  timings: {} as Answer['timings'],
})

function answered(platform: PlatformName, status: number, error: object): string {
  const verdict = verdictOf(SENDERS[platform] as Sender, answer(status, error), 0)
  return verdict.kind === 'failed' ? verdict.code : verdict.kind
}

function reported(error: object): unknown[] {
  const status = { id: 'wamid.1', status: 'failed', timestamp: '1780000000', recipient_id: '15550001111', errors: [error] }
  const change = { field: 'messages', value: { metadata: { phone_number_id: '1' }, statuses: [status] } }
  const updates = read({ object: 'whatsapp_business_account', entry: [{ changes: [change] }] }).map(each => each.update)
  return updates.map(each => (each.kind === 'receipt' ? each.error?.code : each.kind))
}

suite('Meta’s error', () => {
  for (const { errors, ...row } of ROWS)
    for (const error of errors)
      test(`${JSON.stringify(error)} is ${row.answered} in an answer, whatever the status, and ${row.reported} when it is reported later`, () => {
        for (const platform of ['whatsapp', 'facebook', 'instagram'] as const)
          for (const status of [200, 400, 403, 500])
            if (row.answered !== 'rejected' || status === 400) assert.equal(answered(platform, status, error), row.answered)
        const isUnreachable = row.reported === 'recipient_unreachable'
        assert.deepEqual(reported(error), [row.reported, ...(isUnreachable ? ['reachability'] : [])])
      })
})
