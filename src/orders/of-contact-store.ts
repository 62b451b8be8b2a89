// Every statement about all orders of one contact.
import { giving } from '../postgres/of-contact.ts'
import { part } from '../postgres/sql.ts'

export const give = giving({ table: part`orders`, named: contact => `"customer":{"contact_id":"${contact}"` })
