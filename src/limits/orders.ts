// Orders.

/** Lines of one order. Larger work is split or imported. */
export const ORDER_ITEMS_MAX = 100
/** The most of `items[].quantity`. */
export const QUANTITY_MAX = 9_999
