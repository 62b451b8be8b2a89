import { type Static, Type } from 'typebox'
import { ContactId } from '../contacts/schema.ts'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { ORDER_ITEMS_MAX, QUANTITY_MAX } from '../limits/orders.ts'
import { ProductId, VariantId } from '../products/schema.ts'
import {
  Amount,
  anyCase,
  Currency,
  choice,
  Email,
  ExternalId,
  GivenTags,
  Metadata,
  Name,
  nullable,
  Phone,
  Sku,
  strict,
  Tags,
  Time,
  Total,
  Url,
} from '../schemas.ts'
import { STATUSES } from './lifecycle.ts'

export const SOURCES = ['api', 'dashboard', 'ai_agent', 'crm'] as const
export const PAYMENT_STATUSES = ['unpaid', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed'] as const
export const FULFILLMENT_STATUSES = ['unfulfilled', 'shipped', 'delivered', 'returned'] as const
export const PAYMENT_METHODS = ['card', 'cod', 'bank_transfer', 'payment_link', 'other'] as const
export const CANCEL_REASONS = ['customer', 'out_of_stock', 'fraud', 'declined', 'other'] as const

export const OrderId = Type.String({ pattern: idPattern('ord') })
const ItemId = Type.String({ pattern: idPattern('itm') })
const Quantity = Type.Integer({ minimum: 1, maximum: QUANTITY_MAX })
const Note = Type.String({ maxLength: 5000 })
const Line = Type.String({ minLength: 1, maxLength: 300 })
const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 in upper case, such as UA.' })

const addressLines = {
  name: Line,
  phone: Phone,
  line1: Line,
  line2: Line,
  city: Line,
  region: Line,
  postal_code: Type.String({ minLength: 1, maxLength: 20 }),
  country: Country,
  pickup_point: Line,
}
type AddressLine = keyof typeof addressLines
const ADDRESS_LINES = Object.keys(addressLines) as AddressLine[]

const Address = Type.Object(
  Object.fromEntries(ADDRESS_LINES.map(name => [name, nullable(addressLines[name])])) as {
    [K in AddressLine]: ReturnType<typeof nullable<(typeof addressLines)[K]>>
  },
)
const AddressInput = strict(
  Object.fromEntries(ADDRESS_LINES.map(name => [name, Type.Optional(nullable(addressLines[name]))])) as unknown as {
    [K in AddressLine]: ReturnType<typeof Type.Optional<ReturnType<typeof nullable<(typeof addressLines)[K]>>>>
  },
  { minProperties: 1 },
)

const Item = Type.Object({
  id: ItemId,
  product_id: nullable(ProductId),
  variant_id: nullable(VariantId),
  sku: nullable(Sku),
  name: Type.String(),
  quantity: Quantity,
  unit_amount: Amount,
  discount_amount: Total,
  total_amount: Total,
  metadata: Metadata,
})
export type Item = Static<typeof Item>

export const Order = Type.Object(
  {
    object: Type.Literal('order'),
    id: OrderId,
    number: Type.Integer({ minimum: 1, description: 'Counts up within the workspace.' }),
    external_id: nullable(ExternalId),
    source: choice(SOURCES),
    status: choice(STATUSES),
    payment_status: choice(PAYMENT_STATUSES),
    fulfillment_status: choice(FULFILLMENT_STATUSES),
    currency: Currency,
    subtotal_amount: Total,
    discount_amount: Total,
    shipping_amount: Total,
    tax_amount: Total,
    total_amount: Total,
    paid_amount: Total,
    refunded_amount: Total,
    customer: Type.Object({ contact_id: nullable(ContactId), name: nullable(Name), email: nullable(Email), phone: nullable(Phone) }),
    items: Type.Array(Item),
    shipping_address: nullable(Address),
    payment: nullable(
      Type.Object({
        method: choice(PAYMENT_METHODS),
        provider: nullable(Type.String()),
        reference: nullable(Type.String()),
        paid_at: nullable(Time),
      }),
    ),
    fulfillment: nullable(
      Type.Object({
        carrier: nullable(Type.String()),
        waybill_number: Type.String(),
        tracking_url: nullable(Type.String()),
        label_url: nullable(Type.String()),
        shipped_at: Time,
        delivered_at: nullable(Time),
      }),
    ),
    conversation_id: nullable(Type.String()),
    note: nullable(Note),
    cancel_reason: nullable(choice(CANCEL_REASONS)),
    tags: Tags,
    metadata: Metadata,
    version: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    confirmed_at: nullable(Time),
    paid_at: nullable(Time),
    shipped_at: nullable(Time),
    delivered_at: nullable(Time),
    cancelled_at: nullable(Time),
    refunded_at: nullable(Time),
  },
  { title: 'Order' },
)
export type Order = Static<typeof Order>

const NewItem = strict(
  {
    product_id: Type.Optional(ProductId),
    sku: Type.Optional(Sku),
    variant_id: Type.Optional(VariantId),
    name: Type.Optional(Name),
    unit_amount: Type.Optional(Amount),
    quantity: Quantity,
    discount_amount: Type.Optional(Amount),
    metadata: Type.Optional(Metadata),
  },
  {
    anyOf: [{ required: ['product_id'] }, { required: ['sku'] }, { required: ['name', 'unit_amount'] }],
    description: 'Give product_id or sku (the catalogue prices it), or name and unit_amount for a free line.',
  },
)
export type NewItem = Static<typeof NewItem>

const Customer = strict(
  { contact_id: Type.Optional(ContactId), name: Type.Optional(Name), email: Type.Optional(Email), phone: Type.Optional(Phone) },
  {
    anyOf: [{ required: ['contact_id'] }, { required: ['email'] }, { required: ['phone'] }],
    description: 'Give at least one of contact_id, email and phone.',
  },
)

export const NewOrder = strict(
  {
    items: Type.Array(NewItem, { minItems: 1, maxItems: ORDER_ITEMS_MAX }),
    customer: Customer,
    currency: Type.Optional(Currency),
    shipping_address: Type.Optional(nullable(AddressInput)),
    shipping_amount: Type.Optional(Amount),
    discount_amount: Type.Optional(Amount),
    payment: Type.Optional(strict({ method: anyCase(PAYMENT_METHODS) })),
    external_id: Type.Optional(nullable(ExternalId)),
    source: Type.Optional(anyCase(SOURCES)),
    note: Type.Optional(nullable(Note)),
    tags: Type.Optional(GivenTags),
    metadata: Type.Optional(Metadata),
  },
  { title: 'NewOrder' },
)
export type NewOrder = Static<typeof NewOrder>

export const OrderChange = strict(
  {
    status: Type.Optional(anyCase(STATUSES)),
    waybill_number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'With status SHIPPED; MAN-<number> unless given.' }),
    ),
    carrier: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'With status SHIPPED.' })),
    tracking_url: Type.Optional(Url),
    cancel_reason: Type.Optional(anyCase(CANCEL_REASONS, { description: 'With status CANCELLED; other unless given.' })),
    restock: Type.Optional(Type.Boolean({ description: 'With status RETURNED: put the goods back on the shelf.' })),
    shipping_address: Type.Optional(nullable(AddressInput, { description: 'While the order is open.' })),
    note: Type.Optional(nullable(Note)),
    tags: Type.Optional(GivenTags),
    metadata: Type.Optional(Metadata),
  },
  { minProperties: 1, title: 'OrderChange' },
)
export type OrderChange = Static<typeof OrderChange>

export const InvalidTransition = conflict('invalid_transition', {
  from: choice(STATUSES),
  to: choice(STATUSES),
  valid_targets: Type.Array(choice(STATUSES), { description: 'None when the status is final.' }),
})
export const OrderClosed = conflict('order_closed')
/** The Location header names the order too. */
export const DuplicateOrder = conflict('duplicate_external_id', { order_id: OrderId }, 'duplicate_order')

/** An address with every line; a line that was not given is null. */
export function fullAddress(input: Static<typeof AddressInput>): NonNullable<Order['shipping_address']> {
  return Object.fromEntries(ADDRESS_LINES.map(name => [name, input[name] ?? null])) as NonNullable<Order['shipping_address']>
}
