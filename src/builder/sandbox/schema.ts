// A script for the sandbox, and what comes of it, as REST has them.
import { type Static, Type } from 'typebox'
import {
  SANDBOX_CODE_BYTES,
  SANDBOX_LOG_BYTES,
  SANDBOX_LOG_LINES,
  SANDBOX_MS,
  SANDBOX_MS_MAX,
  SANDBOX_RESULT_BYTES,
} from '../../limits/builder.ts'
import { choice, nullable, strict } from '../../schemas.ts'
import { LOG_LEVELS } from './outcome.ts'

export const NewScript = strict(
  {
    code: Type.String({
      maxLength: SANDBOX_CODE_BYTES,
      description: `JavaScript, as a script; at most ${SANDBOX_CODE_BYTES / 1024} KB. It may use \`await\` anywhere. The value of its last expression, awaited, is the result. It has the language, \`input\` and \`console\`, and nothing else.`,
    }),
    input: Type.Optional(Type.Unknown({ description: 'What the script finds as `input`.' })),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 1, maximum: SANDBOX_MS_MAX, default: SANDBOX_MS, description: 'How long it may run.' }),
    ),
  },
  { title: 'NewScript' },
)
export type NewScript = Static<typeof NewScript>

export const ScriptRun = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether there is a result.' }),
    result: Type.Unknown({
      description: `As its JSON, at most ${SANDBOX_RESULT_BYTES / 1024} KB; null where it has none, as undefined and functions have none, and where \`ok\` is false.`,
    }),
    logs: Type.Array(Type.Object({ level: choice(LOG_LEVELS), text: Type.String() }), {
      description: `What was logged: at most ${SANDBOX_LOG_LINES} lines and ${SANDBOX_LOG_BYTES / 1024} KB.`,
    }),
    logs_truncated: Type.Boolean({ description: 'Whether more was logged.' }),
    error: nullable(
      Type.Object(
        {
          name: Type.String({ description: '`TimeoutError` where it ran for too long.' }),
          message: Type.String(),
          line: nullable(Type.Integer({ description: 'Of the script, from 1, where it is known.' })),
        },
        { title: 'ScriptError' },
      ),
    ),
    duration_ms: Type.Integer({ minimum: 0 }),
  },
  { title: 'ScriptRun' },
)
