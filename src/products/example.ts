// A product at two moments: the catalogue of event types shows it, and test events carry it. Its ids belong to no workspace.
import type { PublicProduct } from './schema.ts'

const ID = '01jz0000000000000000000000'

export const created: PublicProduct = {
  object: 'product',
  id: `prod_${ID}`,
  name: 'Linen shirt',
  description: null,
  sku: 'SHIRT',
  external_id: 'P-1',
  category: 'Clothes/Shirts',
  status: 'active',
  price_amount: 4900,
  compare_at_amount: null,
  currency: 'EUR',
  images: [{ url: 'https://shop.example/shirt.jpg', alt: 'A linen shirt' }],
  attributes: { fabric: 'linen' },
  tags: ['summer'],
  metadata: {},
  version: 1,
  created_at: '2026-05-28T20:26:40.000Z',
  updated_at: '2026-05-28T20:26:40.000Z',
  stock: 25,
  reserved: 0,
  stock_status: 'in_stock',
  variants: [{ id: `var_${ID}`, sku: 'SHIRT-M', name: 'M', options: { size: 'M' }, price_amount: null, stock: null }],
}

export const updated: PublicProduct = {
  ...created,
  price_amount: 4500,
  stock: 40,
  version: 2,
  updated_at: '2026-05-29T09:15:00.000Z',
}
