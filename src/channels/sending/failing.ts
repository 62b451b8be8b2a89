// The health of a channel as results change it: a channel whose credentials are refused, or whose platform is away, stops and says so; one that works
// again goes on.
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import { emitAll } from '../../events/emit.ts'
import { MESSAGE_EXPIRES_HOURS } from '../../limits/channels.ts'
import { queueMail } from '../../mail/mail.ts'
import { begin, type Tx } from '../../postgres/sql.ts'
import { admins } from '../../tenants/people.ts'
import { ChannelFailing } from '../accounts/events.ts'
import * as accounts from '../accounts/store.ts'
import type { Claimed } from './claim-store.ts'
import * as store from './failing-store.ts'
import { afterFailure, type FailingReason, HEALTHY, mustStop, nextProbe, stopped } from './health.ts'
import { othersAreHeld } from './result-store.ts'
import type { Slice } from './slice.ts'
import type { Verdict } from './verdict.ts'

/** Takes what a verdict says of the channel. Nothing is learnt of it where the platform may have taken the message, or the fault is ours. */
export async function judged(slice: Slice, claimed: Claimed, verdict: Verdict): Promise<void> {
  if (verdict.kind === 'taken' || verdict.kind === 'failed') return works(slice)
  if (slice.lease.status === 'failing') return probeFailed(slice, claimed, verdict)
  if (verdict.kind === 'credentials') return stop(slice, 'credentials', verdict.why)
  if (verdict.kind === 'again') return failed(slice, claimed, verdict.why)
  if (verdict.kind === 'held') return held(slice, claimed, verdict.forMs)
  if (verdict.kind === 'ours' && verdict.afterMs > 0) slice.quietUntil = now() + verdict.afterMs
}

async function works(slice: Slice): Promise<void> {
  const { context, channel, token, lease } = slice
  if (lease.status === 'failing') {
    await store.goOn(context.sql, channel, token)
    Object.assign(lease, HEALTHY, { status: 'enabled' })
    slice.quietUntil = null
  } else if (lease.failures > 0) {
    Object.assign(lease, HEALTHY)
    await store.count(context.sql, channel, token, lease, null)
  }
}

async function failed(slice: Slice, { conversation_id }: Claimed, why: string): Promise<void> {
  const { context, channel, token, lease } = slice
  Object.assign(lease, afterFailure(lease, conversation_id))
  const others = mustStop(lease, false) && lease.failures_of !== null && (await store.hasOthers(context.sql, channel, lease.failures_of))
  if (mustStop(lease, others)) return stop(slice, 'platform', why)
  await store.count(context.sql, channel, token, lease, why)
}

/** A second conversation that is refused while a first one rests: it is the channel that is too fast. */
async function held(slice: Slice, { conversation_id }: Claimed, forMs: number): Promise<void> {
  if (await othersAreHeld(slice.context.sql, slice.channel, conversation_id))
    slice.quietUntil = Math.max(slice.quietUntil ?? 0, now() + forMs)
}

/** What was under way when the channel stopped says no more of it than what stopped it. */
async function probeFailed(slice: Slice, { conversation_id, message_id }: Claimed, verdict: Verdict): Promise<void> {
  const { context, channel, token, lease, probing } = slice
  if (message_id !== probing || verdict.kind === 'taken') return
  Object.assign(lease, { probes: lease.probes + 1, probed: conversation_id })
  if (verdict.kind === 'credentials') lease.failing_reason = 'credentials'
  else if (verdict.kind === 'again') lease.failing_reason = 'platform'
  await store.probed(context.sql, channel, token, lease, nextProbe(lease, now()), verdict.why)
}

async function stop(slice: Slice, reason: FailingReason, why: string): Promise<void> {
  const { context, channel, token, lease } = slice
  // Several were under way when the first of them was refused.
  if (lease.status !== 'enabled') return
  Object.assign(lease, stopped(lease, reason, now()), { status: 'failing' })
  await begin(context.sql, async tx => {
    if (!(await store.stop(tx, channel, token, lease, nextProbe(lease, now()), why))) {
      slice.over = true
      return
    }
    const json = await accounts.findJson(tx, channel.tenant, channel.id, context.shown)
    const text = `{"channel_id":${JSON.stringify(channel.id)},"channel":${json},"reason":${JSON.stringify(why)}}`
    await emitAll(tx, [{ caller: system(channel.tenant), type: ChannelFailing, text }])
    await mailAdmins(tx, slice, reason, why)
  })
}

const system = (tenant: string): Caller => ({ tenant, actor: { type: 'system' } })

const SAID: Record<FailingReason, { subject: string; what: string; next: string[] }> = {
  credentials: {
    subject: 'refuses the credentials of a channel',
    what: 'The platform refuses the credentials of your channel, or does not allow it to send any more.',
    next: ['Give it a new token, and it is tried at once:', '', '    bin/shopdesk channel update ID --tenant TENANT --token TOKEN'],
  },
  platform: {
    subject: 'does not take messages of a channel',
    what: 'The platform of your channel cannot be reached, or answers that it is out of order.',
    next: ['It is tried again every minute with one message, and the others follow as soon as that is taken.'],
  },
}

async function mailAdmins(tx: Tx, { channel, lease }: Slice, reason: FailingReason, why: string): Promise<void> {
  const { subject, what, next } = SAID[reason]
  const named = next.map(line => line.replace('ID', channel.id).replace('TENANT', channel.tenant))
  for (const { email, workspace } of await admins(tx, channel.tenant))
    await queueMail(tx, {
      tenant: channel.tenant,
      kind: 'channel.failing',
      to: email,
      subject: `A platform ${subject}: ${lease.name}`,
      text: `${[
        `Workspace: ${workspace}`,
        '',
        what,
        '',
        `Channel: ${lease.name} (${lease.platform}, ${channel.id})`,
        `What it said: ${why}`,
        '',
        `Messages to customers wait, and are given up after ${MESSAGE_EXPIRES_HOURS} hours.`,
        '',
        ...named,
      ].join('\n')}\n`,
    })
}
