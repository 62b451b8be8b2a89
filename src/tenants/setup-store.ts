// What a workspace has already, of all that makes it work: one statement, which looks for one row of each.
import type { Queryable } from '../postgres/sql.ts'

export interface Setup {
  products: boolean
  channels: boolean
  providers: boolean
  webhooks: boolean
  keys: boolean
  clients: boolean
  team: boolean
}

export async function setupOf(sql: Queryable, tenant: string): Promise<Setup> {
  const [row] = await sql<Setup[]>`
    select exists (select from products where tenant_id = ${tenant}) as products,
           exists (select from channels where tenant_id = ${tenant} and status <> 'deleted') as channels,
           exists (select from payment_providers where tenant_id = ${tenant} and status <> 'deleted') as providers,
           exists (select from webhook_endpoints where tenant_id = ${tenant}) as webhooks,
           exists (select from api_keys where tenant_id = ${tenant} and kind = 'rest' and revoked_at is null) as keys,
           exists (select from api_keys where tenant_id = ${tenant} and kind = 'mcp' and revoked_at is null)
             or exists (select from oauth_grants where tenant_id = ${tenant} and revoked_at is null) as clients,
           exists (select from memberships where tenant_id = ${tenant} offset 1) as team`
  return row as Setup
}
