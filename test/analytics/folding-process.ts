// Folds what there is once: `node folding-process.ts DATABASE_URL`.
import { folder } from '../../src/analytics/fold.ts'
import { openDatabase } from '../../src/postgres/sql.ts'

const db = openDatabase(process.argv[2] as string, { name: 'folding', lanes: 0, pool: 1 })
process.send?.({ ready: true })
await folder()(db.sql)
await db.close()
process.exit()
