// The commands of each noun. A noun is imported when one of its commands is asked for: all of them together cost every command 0.2 s.
import type { Command } from 'commander'

interface Noun {
  /** Of the commands that it adds to the program. */
  names: string[]
  /** @returns what adds them */
  load(): Promise<(program: Command) => void>
}

/** In the order of the program's help. */
export const nouns: Noun[] = [
  { names: ['tenant'], load: async () => (await import('../tenants/commands.ts')).commands },
  { names: ['user'], load: async () => (await import('../tenants/people-commands.ts')).commands },
  { names: ['audit'], load: async () => (await import('../tenants/audit-commands.ts')).commands },
  { names: ['grant'], load: async () => (await import('../oauth/commands.ts')).commands },
  { names: ['key'], load: async () => (await import('../access/commands.ts')).commands },
  {
    names: ['webhook', 'listen'],
    load: async () => {
      const [{ commands }, { eventTypes }] = await Promise.all([import('../webhooks/commands.ts'), import('../catalog.ts')])
      return program => commands(program, eventTypes)
    },
  },
  {
    names: ['secrets'],
    load: async () => {
      const [{ commands }, { sealedTables }] = await Promise.all([import('../secret-commands.ts'), import('../catalog.ts')])
      return program => commands(program, sealedTables)
    },
  },
  { names: ['channel'], load: async () => (await import('../channels/commands.ts')).commands },
  { names: ['conversation'], load: async () => (await import('../conversations/commands.ts')).commands },
  { names: ['payment'], load: async () => (await import('../payments/commands.ts')).commands },
  {
    names: ['export'],
    load: async () => {
      const [{ commands }, { exportables }] = await Promise.all([import('../exports/commands.ts'), import('../catalog.ts')])
      return program => commands(program, exportables)
    },
  },
  { names: ['import'], load: async () => (await import('../imports/commands.ts')).commands },
  { names: ['analytics'], load: async () => (await import('../analytics/commands.ts')).commands },
  {
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
  { names: ['mail'], load: async () => (await import('../mail/commands.ts')).commands },
  { names: ['job'], load: async () => (await import('../queue/commands.ts')).commands },
]

/** @param name the first word of the command line: of a noun its commands are added, of any other, for the help, those of all nouns */
export async function addNouns(program: Command, name: string): Promise<void> {
  const asked = nouns.filter(({ names }) => names.includes(name))
  const adds = await Promise.all((asked.length > 0 ? asked : nouns).map(({ load }) => load()))
  for (const add of adds) add(program)
}
