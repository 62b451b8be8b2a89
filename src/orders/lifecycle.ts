// The order lifecycle. A status in lower case is open: the goods are in the shop. In upper case the goods are gone, or the order is closed.

export const STATUSES = ['pending', 'confirmed', 'processing', 'SHIPPED', 'DELIVERED', 'RETURNED', 'CANCELLED', 'REFUNDED'] as const
export type Status = (typeof STATUSES)[number]

/** For each status the targets that a caller may ask for. Only the system sets REFUNDED. */
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
