// Recurring work, one line each. A plain timer rather than cron: cron here is minute-grained, and a stuck queue cannot host its own rescue.
import { startSweep } from './webhooks/sweep.ts'

export interface Schedule {
  stop(): Promise<void>
}

export function startSchedule(databaseUrl: string, onError: (error: unknown) => void): Schedule {
  const running = [startSweep(databaseUrl, onError)]
  return { stop: async () => void (await Promise.all(running.map(each => each.stop()))) }
}
