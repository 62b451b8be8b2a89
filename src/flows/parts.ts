// What others ask of runs within statements of their own.
import type { Fragment, Text } from '../postgres/sql.ts'
import * as log from './log-store.ts'

/** A condition: the run has ended, or is kept no longer. */
export const isOverPart = (tenant: Text, run: Text): Fragment => log.isOver(tenant, run)
