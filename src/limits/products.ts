// Products.

/** Pieces of a product. */
export const STOCK_MAX = 1_000_000_000
/** A product with this many pieces left, or fewer, is low on stock. */
export const LOW_STOCK = 5
