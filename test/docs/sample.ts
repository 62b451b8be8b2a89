// An OpenAPI 3.1 document such as the service generates: references, recursion, nullable fields, examples, headers.

const problem = { $ref: '#/components/responses/Problem' }
const rateHeaders = { 'X-RateLimit-Remaining': { $ref: '#/components/headers/Remaining' } }

export const sample = {
  openapi: '3.1.0',
  info: { title: 'Shop API', version: '1.0.0', description: 'Orders and **products**.' },
  tags: [{ name: 'Orders', description: 'What customers bought.' }, { name: 'Products' }],
  paths: {
    '/api/v1/orders': {
      head: { operationId: 'listOrdersHead', tags: ['Orders'], summary: 'List orders (headers alone)' },
      get: {
        operationId: 'listOrders',
        security: [{ apiKey: ['read'] }],
        tags: ['Orders'],
        summary: 'List orders',
        description: 'Newest first. See `next_cursor`.',
        parameters: [
          { $ref: '#/components/parameters/Cursor' },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } },
          { name: 'offset', in: 'query', deprecated: true, schema: { type: 'integer', minimum: 0 } },
          { name: 'status', in: 'query', description: 'Any of these.', schema: { type: 'array', items: { enum: ['pending', 'SHIPPED'] } } },
        ],
        responses: {
          200: {
            description: 'A page of orders.',
            headers: rateHeaders,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['object', 'data'],
                  properties: { object: { const: 'list' }, data: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
                },
              },
            },
          },
          422: problem,
        },
      },
      post: {
        operationId: 'placeOrder',
        tags: ['Orders'],
        summary: 'Place an order',
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/NewOrder' },
              example: { customer: { email: "o'hara@example.com" }, items: [{ sku: 'RUN-2', quantity: 1 }] },
            },
          },
        },
        responses: {
          201: {
            description: 'The order.',
            headers: { ...rateHeaders, Location: { description: 'Its address.', schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Order' }, example: { object: 'order', status: 'pending' } },
            },
          },
          409: problem,
        },
      },
    },
    '/api/v1/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^ord_' } }],
      get: {
        operationId: 'readOrder',
        tags: ['Orders'],
        summary: 'Read an order',
        responses: { 200: { description: 'The order.' }, 404: problem },
      },
    },
    '/api/v1/products': {
      post: {
        operationId: 'createProduct',
        tags: ['Products'],
        summary: 'Create a product',
        deprecated: true,
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name', 'price_amount'],
                properties: {
                  name: { type: 'string', minLength: 1, maxLength: 200, examples: ['Runner 2'] },
                  price_amount: { type: 'integer', minimum: 0, maximum: 9_000_000_000 },
                  metadata: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string' } },
                },
              },
            },
          },
        },
        responses: { 201: { description: 'The product.' } },
      },
    },
    '/api/v1/ping': { get: { security: [], responses: { 204: { description: 'Alive.' } } } },
  },
  components: {
    parameters: {
      Cursor: { name: 'cursor', in: 'query', description: 'The `next_cursor` of the page before.', schema: { type: 'string' } },
    },
    headers: { Remaining: { description: 'Requests left in the window.', schema: { type: 'integer' } } },
    responses: {
      Problem: {
        description: '[A problem](https://shop.example/docs/errors/conflict) document.',
        headers: rateHeaders,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    schemas: {
      Problem: { type: 'object', required: ['type'], properties: { type: { type: 'string', format: 'uri' }, status: { type: 'integer' } } },
      Order: {
        type: 'object',
        description: 'An order.',
        required: ['id', 'status'],
        properties: {
          id: { type: 'string' },
          status: { enum: ['pending', 'SHIPPED'] },
          paid_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }], description: 'When it was paid.' },
          parent: { anyOf: [{ $ref: '#/components/schemas/Order' }, { type: 'null' }] },
          customer: { type: ['object', 'null'], properties: { email: { type: 'string', format: 'email' } } },
        },
      },
      NewOrder: {
        type: 'object',
        required: ['items'],
        properties: {
          items: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/NewItem' } },
          customer: {
            anyOf: [
              { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
              { type: 'object', required: ['phone'], properties: { phone: { type: 'string' } } },
            ],
          },
        },
      },
      NewItem: {
        allOf: [
          { type: 'object', required: ['quantity'], properties: { quantity: { type: 'integer', minimum: 1, maximum: 9999 } } },
          {
            type: 'object',
            properties: { sku: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/NewItem' } } },
          },
        ],
      },
    },
  },
}
