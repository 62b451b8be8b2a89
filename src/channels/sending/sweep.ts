// The sweep of channels: wakes those that have something to send, a probe to make or something to give up, and that no worker serves.
import { sweeping } from '../../queue/sweep.ts'
import { isReady, wake } from './wake-store.ts'

/** A customer waits, and the queue is read only while a channel has a job that is not begun within a second. */
const LOST_AFTER_SECONDS = 1

export const sweepChannels = sweeping({
  table: 'channels',
  work: 'channel_queues',
  of: 'channel_id',
  isReady,
  task: 'channels/send',
  lostAfterSeconds: LOST_AFTER_SECONDS,
  wake,
})
