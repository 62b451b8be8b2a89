// An order at each of its moments: the catalogue of event types shows it, and test events carry it. Its ids belong to no workspace.
import type { Order } from './schema.ts'

const ID = '01jz0000000000000000000000'
const PLACED = '2026-05-28T20:26:40.000Z'
const PAID = '2026-05-28T20:31:05.000Z'
const SHIPPED = '2026-05-29T09:15:00.000Z'

export const placed: Order = {
  object: 'order',
  id: `ord_${ID}`,
  number: 1042,
  external_id: null,
  source: 'api',
  status: 'pending',
  payment_status: 'unpaid',
  fulfillment_status: 'unfulfilled',
  currency: 'EUR',
  subtotal_amount: 9800,
  discount_amount: 0,
  shipping_amount: 500,
  tax_amount: 0,
  total_amount: 10_300,
  paid_amount: 0,
  refunded_amount: 0,
  customer: { contact_id: `con_${ID}`, name: 'Ada Lovelace', email: 'ada@example.com', phone: '+380441234567' },
  items: [
    {
      id: `itm_${ID}`,
      product_id: `prod_${ID}`,
      variant_id: null,
      sku: 'SHIRT-M',
      name: 'Linen shirt',
      quantity: 2,
      unit_amount: 4900,
      discount_amount: 0,
      total_amount: 9800,
      metadata: {},
    },
  ],
  shipping_address: {
    name: 'Ada Lovelace',
    phone: '+380441234567',
    line1: '12 Example Street',
    line2: null,
    city: 'Kyiv',
    region: null,
    postal_code: '01001',
    country: 'UA',
    pickup_point: null,
  },
  payment: { method: 'card', provider: null, reference: null, paid_at: null },
  fulfillment: null,
  conversation_id: null,
  note: null,
  cancel_reason: null,
  tags: ['summer'],
  metadata: {},
  version: 1,
  created_at: PLACED,
  updated_at: PLACED,
  confirmed_at: null,
  paid_at: null,
  shipped_at: null,
  delivered_at: null,
  cancelled_at: null,
  refunded_at: null,
}

const payment = { method: 'card', provider: 'example-pay', reference: 'pay_42', paid_at: PAID } as const

export const paid: Order = {
  ...placed,
  status: 'confirmed',
  payment_status: 'paid',
  paid_amount: placed.total_amount,
  payment,
  version: 2,
  updated_at: PAID,
  confirmed_at: PAID,
  paid_at: PAID,
}

const fulfillment = {
  carrier: 'Example Post',
  waybill_number: '20450000000000',
  tracking_url: 'https://carrier.example/20450000000000',
  label_url: null,
  shipped_at: SHIPPED,
  delivered_at: null,
}

export const shipped: Order = {
  ...paid,
  status: 'SHIPPED',
  fulfillment_status: 'shipped',
  fulfillment,
  version: 3,
  updated_at: SHIPPED,
  shipped_at: SHIPPED,
}

export const cancelled: Order = {
  ...placed,
  status: 'CANCELLED',
  cancel_reason: 'customer',
  version: 2,
  updated_at: SHIPPED,
  cancelled_at: SHIPPED,
}

export const refunded: Order = {
  ...paid,
  status: 'REFUNDED',
  payment_status: 'refunded',
  refunded_amount: paid.paid_amount,
  version: 3,
  updated_at: SHIPPED,
  refunded_at: SHIPPED,
}
