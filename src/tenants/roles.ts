// What people may do in a workspace.
export const ROLES = ['admin', 'operator'] as const
/** An admin may do all of it; an operator works with orders, products, contacts and conversations. */
export type Role = (typeof ROLES)[number]
