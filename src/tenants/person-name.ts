// What a person is called, as a part of another noun's statement.
import type { Fragment, Text } from '../postgres/sql.ts'
import * as store from './people-store.ts'

/** A row with the person's name, or their e-mail where they have given none. */
export const personNamePart = (tenant: Text, user: Text): Fragment => store.nameOf(tenant, user)
