// Every statement about all records of one contact.
import { giving } from '../postgres/of-contact.ts'
import { part } from '../postgres/sql.ts'

export const give = giving({ table: part`records`, named: contact => `{"target":"builtin:contact","id":"${contact}"}` })
