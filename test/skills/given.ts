// Apps whose skills are called: a receiver in their service's place, and a process's means to call them.
import type { TestContext } from 'node:test'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import { newId } from '../../src/ids.ts'
import { SKILL_TIMEOUT_MS } from '../../src/limits/skills.ts'
import { type ClientOptions, createClient } from '../../src/outbound/client.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { type Asked, type Called, type SkillContext, UNSTOPPED } from '../../src/skills/asking.ts'
import { call } from '../../src/skills/call.ts'
import type { For } from '../../src/skills/occasion.ts'
import { createPlaces } from '../../src/skills/places.ts'
import type { TestApp } from '../support/app.ts'
import { aManifest, installApp } from '../support/apps.ts'

export type Skill = NonNullable<Manifest['skills']>[number]

export const aSkill = (endpoint: string, over: Partial<Skill> = {}): Skill => ({
  id: 'award',
  name: 'Award points',
  description: 'Call it to award points.',
  endpoint,
  inputSchema: { type: 'object' },
  ...over,
})

/** As a process has it. Its answers have the usual time, unless told otherwise: on a busy machine a second is none. */
export function contextOf(
  t: Pick<TestContext, 'after'>,
  { sql, keyring, config }: TestApp,
  over: Partial<SkillContext> = {},
  network: ClientOptions = {},
): SkillContext {
  const client = createClient(config.outbound, network)
  t.after(() => client.close())
  const own = { standing: UNWATCHED, stopping: UNSTOPPED, places: createPlaces(100), timeoutMs: SKILL_TIMEOUT_MS }
  return { sql, client, keyring, ...own, ...over }
}

/** A new turn of a new conversation. */
export const aTurn = (): { conversation: string; turn: string } => ({ conversation: newId('conv'), turn: newId('msg') })

type Question = Partial<Omit<Asked, 'for'>> & { for?: For }

/** An installed app with these skills, of a new workspace. `ask` calls its first one, in a turn of its own, unless told otherwise. */
export async function appWith(
  t: Pick<TestContext, 'after'>,
  app: TestApp,
  skills: Skill[],
  over: Partial<SkillContext> = {},
  wanted: Parameters<typeof installApp>[3] & { manifest?: Partial<Manifest> } = {},
) {
  const context = contextOf(t, app, over)
  const shop = await app.tenant()
  const { manifest, ...rest } = wanted
  const installed = await installApp(app, shop, aManifest({ skills, ...manifest }), rest)
  const base = { tenant: shop.id, app_id: installed.id, skill_id: skills[0]?.id ?? '', arguments: {}, signal: new AbortController().signal }
  const ask = async (question: Question = {}, by = context): Promise<Called> => {
    const called = await call(by, { ...base, for: aTurn(), ...question })
    if (!called) throw new Error('there is no such skill')
    return called
  }
  return { shop, installed, context, base, ask }
}

export const briefly = (called: Called): unknown =>
  'refused' in called
    ? [called.stage, called.code]
    : called.truncated
      ? { output: called.output, truncated: true }
      : { output: called.output }

export async function rowsOf({ sql }: TestApp, shop: { id: string }) {
  return sql`select * from skill_calls where tenant_id = ${shop.id} order by created_at, id`
}
