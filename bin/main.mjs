// What bin/shopdesk starts.
import './direct.mjs'

await import('../src/cli/cli.ts')
