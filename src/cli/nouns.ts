// The commands of each noun. A noun is imported when one of its commands is asked for: all of them together cost every command 0.2 s.
import type { Command } from 'commander'

type Group = 'People and access:' | 'Integrations:' | 'Data of a workspace:' | 'Keeping it well:'

interface Noun {
  /** What the help shows it under. */
  group: Group
  /** The names of the commands that it adds to the program. */
  names: string[]
  /** @returns what adds them */
  load(): Promise<(program: Command) => void>
}

/** In the order of the program's help. */
export const nouns: Noun[] = [
  { group: 'People and access:', names: ['tenant'], load: async () => (await import('../tenants/commands.ts')).commands },
  { group: 'People and access:', names: ['user'], load: async () => (await import('../tenants/people-commands.ts')).commands },
  { group: 'People and access:', names: ['audit'], load: async () => (await import('../tenants/audit-commands.ts')).commands },
  { group: 'People and access:', names: ['grant'], load: async () => (await import('../oauth/commands.ts')).commands },
  { group: 'People and access:', names: ['key'], load: async () => (await import('../access/commands.ts')).commands },
  {
    group: 'Integrations:',
    names: ['webhook', 'listen'],
    load: async () => {
      const [{ commands }, { eventTypes }] = await Promise.all([import('../webhooks/commands.ts'), import('../catalog.ts')])
      return program => commands(program, eventTypes)
    },
  },
  { group: 'Integrations:', names: ['channel'], load: async () => (await import('../channels/commands.ts')).commands },
  { group: 'Integrations:', names: ['payment'], load: async () => (await import('../payments/commands.ts')).commands },
  {
    group: 'Integrations:',
    names: ['app'],
    load: async () => {
      const [{ commands }, { skillCommands }, { runCommand }, { logCommands }, { eventTypes }] = await Promise.all([
        import('../apps/commands.ts'),
        import('../skills/commands.ts'),
        import('../flows/commands.ts'),
        import('../flows/log-commands.ts'),
        import('../catalog.ts'),
      ])
      return program => {
        commands(program, eventTypes)
        skillCommands(program)
        runCommand(program, eventTypes)
        logCommands(program)
      }
    },
  },
  { group: 'Data of a workspace:', names: ['conversation'], load: async () => (await import('../conversations/commands.ts')).commands },
  {
    group: 'Data of a workspace:',
    names: ['export'],
    load: async () => {
      const [{ commands }, { exportables }] = await Promise.all([import('../exports/commands.ts'), import('../catalog.ts')])
      return program => commands(program, exportables)
    },
  },
  { group: 'Data of a workspace:', names: ['import'], load: async () => (await import('../imports/commands.ts')).commands },
  { group: 'Data of a workspace:', names: ['analytics'], load: async () => (await import('../analytics/commands.ts')).commands },
  {
    group: 'Keeping it well:',
    names: ['secrets'],
    load: async () => {
      const [{ commands }, { sealedTables }] = await Promise.all([import('../secret-commands.ts'), import('../catalog.ts')])
      return program => commands(program, sealedTables)
    },
  },
  { group: 'Keeping it well:', names: ['mail'], load: async () => (await import('../mail/commands.ts')).commands },
  { group: 'Keeping it well:', names: ['job'], load: async () => (await import('../queue/commands.ts')).commands },
]

/** @param name the first word of the command line: of a noun its commands are added, of any other, for the help, those of all nouns */
export async function addNouns(program: Command, name: string): Promise<void> {
  const asked = nouns.filter(({ names }) => names.includes(name))
  const chosen = asked.length > 0 ? asked : nouns
  const adds = await Promise.all(chosen.map(({ load }) => load()))
  for (const [index, add] of adds.entries()) {
    program.commandsGroup(chosen[index]?.group ?? '')
    add(program)
  }
}
