// The order lifecycle (design §3). Lower case: open, goods in the shop. Upper case: goods gone, or the order closed.

export const STATUSES = ['pending', 'confirmed', 'processing', 'SHIPPED', 'DELIVERED', 'RETURNED', 'CANCELLED', 'REFUNDED'] as const
export type Status = (typeof STATUSES)[number]

/** From each status the targets a caller may ask for. REFUNDED is the system's alone. */
export const MOVES: Record<Status, readonly Status[]> = {
  pending: ['confirmed', 'processing', 'SHIPPED', 'CANCELLED'],
  confirmed: ['processing', 'SHIPPED', 'CANCELLED'],
  processing: ['SHIPPED', 'CANCELLED'],
  SHIPPED: ['DELIVERED', 'RETURNED'],
  DELIVERED: ['RETURNED'],
  RETURNED: [],
  CANCELLED: [],
  REFUNDED: [],
}

export const canMove = (from: Status, to: Status): boolean => MOVES[from].includes(to)

/** Open orders hold stock, and their address can still be changed. */
export const isOpen = (status: Status): boolean => status === status.toLowerCase()
