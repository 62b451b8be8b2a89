// The types of the TypeScript client, kept in docs/client so that an example can be checked against them: written from the OpenAPI document.
import { checkGenerated, type Generated, writeGenerated } from './cli/generated.ts'
import { loadConfig } from './config.ts'
import { typesOf } from './docs/types.ts'
import { restRoutes } from './rest.ts'

const types: Generated = {
  path: 'docs/client/schema.d.ts',
  source: 'the OpenAPI document',
  same: 'The client has the types of the OpenAPI document.',
  command: 'bin/shopdesk client',
  text: typesText,
}

export const writeTypes = (): Promise<void> => writeGenerated(types)
export const checkTypes = (): Promise<void> => checkGenerated(types)

// No route is called, so their dependencies may be missing.
function typesText(): string {
  const config = loadConfig({ DATABASE_URL: 'postgres://nowhere', SECRET_KEY: '0'.repeat(64), BASE_URL: 'https://shop.example' })
  return typesOf(restRoutes(config, {} as never, {} as never).document() as never)
}
