// Made from the OpenAPI document: do not edit. See docs/api/client.md.

export interface paths {
  '/api/v1/orders': {
    /** List orders. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at" | "updated_at" | "total_amount"
          dir?: "asc" | "desc"
          /** @deprecated Deprecated: use cursor. */
          offset?: number
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** An order’s number, its external_id, or the customer’s e-mail address. */
          q?: string
          /** Any of these, comma-separated, in any case. */
          status?: Array<"pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED">
          /** Any of these, comma-separated, in any case. */
          payment_status?: Array<"unpaid" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed">
          /** Any of these, comma-separated, in any case. */
          fulfillment_status?: Array<"unfulfilled" | "shipped" | "delivered" | "returned">
          /** Any of these, comma-separated, in any case. */
          source?: Array<"api" | "dashboard" | "ai_agent" | "crm">
          /** Exactly, in any case. */
          customer_email?: string
          contact_id?: string
          external_id?: string
          number?: number
          /** In minor units, such as cents. */
          min_total?: number
          /** In minor units, such as cents. */
          max_total?: number
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Order']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Place an order. Reserves stock, finds or makes the contact, totals on the server, and emits order.created. Short stock is a 409 with code insufficient_stock. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewOrder'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Order'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InsufficientStockConflict'] | components['schemas']['DuplicateOrderConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/orders/bulk': {
    get?: never
    put?: never
    /** Create and change several orders. Up to 50 items, counted as one write. An item with an id moves or annotates that order, one without places an order; each succeeds or fails by itself. Changes are made first, so stock that one of them releases can be sold by a new order of the same request. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': {
          items: Array<components['schemas']['NewOrder'] | {
            /** The order to change. */
            id: string
            status?: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
            /** With status SHIPPED; MAN-<number> unless given. */
            waybill_number?: string
            /** With status SHIPPED. */
            carrier?: string
            tracking_url?: string
            /** With status CANCELLED; other unless given. */
            cancel_reason?: "customer" | "out_of_stock" | "fraud" | "declined" | "other"
            /** With status RETURNED: put the goods back on the shelf. */
            restock?: boolean
            /** While the order is open. */
            shipping_address?: {
              name?: string | null
              /** E.164: a plus sign, the country code and the number, such as +380441234567. */
              phone?: string | null
              line1?: string | null
              line2?: string | null
              city?: string | null
              region?: string | null
              postal_code?: string | null
              /** ISO 3166-1 alpha-2 in upper case, such as UA. */
              country?: string | null
              pickup_point?: string | null
            } | null
            note?: string | null
            tags?: Array<string>
            /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
            metadata?: { [name: string]: string }
          }>
        } | Array<components['schemas']['NewOrder'] | {
          /** The order to change. */
          id: string
          status?: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
          /** With status SHIPPED; MAN-<number> unless given. */
          waybill_number?: string
          /** With status SHIPPED. */
          carrier?: string
          tracking_url?: string
          /** With status CANCELLED; other unless given. */
          cancel_reason?: "customer" | "out_of_stock" | "fraud" | "declined" | "other"
          /** With status RETURNED: put the goods back on the shelf. */
          restock?: boolean
          /** While the order is open. */
          shipping_address?: {
            name?: string | null
            /** E.164: a plus sign, the country code and the number, such as +380441234567. */
            phone?: string | null
            line1?: string | null
            line2?: string | null
            city?: string | null
            region?: string | null
            postal_code?: string | null
            /** ISO 3166-1 alpha-2 in upper case, such as UA. */
            country?: string | null
            pickup_point?: string | null
          } | null
          note?: string | null
          tags?: Array<string>
          /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
          metadata?: { [name: string]: string }
        }> } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "bulk_result"
          /** The path of the request. */
          url: string
          summary: {
            total: number
            succeeded: number
            failed: number
          }
          /** One for each item, in the order of the items. */
          results: Array<{
            index: number
            status: 200 | 201
            data: components['schemas']['Order']
          }>
        } } }
        207: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "bulk_result"
          /** The path of the request. */
          url: string
          summary: {
            total: number
            succeeded: number
            failed: number
          }
          /** One for each item, in the order of the items. */
          results: Array<{
            index: number
            status: 200 | 201
            data: components['schemas']['Order']
          } | {
            index: number
            status: 404 | 409 | 422 | 500
            error: components['schemas']['ValidationFailedProblem'] | components['schemas']['ResourceNotFoundProblem'] | components['schemas']['InternalErrorProblem'] | components['schemas']['InsufficientStockConflict'] | components['schemas']['DuplicateOrderConflict'] | components['schemas']['InvalidTransitionConflict'] | components['schemas']['OrderClosedConflict']
          }>
        } } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] | {
          title: "Validation failed"
          /** Stable: switch on it. The address of a page. */
          type: `${string}/errors/validation-failed`
          status: 422
          /** What happened, for people. */
          detail: string
          /** The path of the request. */
          instance: string
          /** Quote it in support requests; also in X-Trace-Id. */
          trace_id: string
          /** The code of the first error. */
          code: string
          /** Everything that was found, up to 100 errors. */
          errors: Array<components['schemas']['FieldError']>
          /** Of too_long and attachment_too_large: what the channel of a conversation takes. */
          max?: number
          /** Of attachment_unsupported: what it carries. */
          allowed?: Array<string>
          object: "bulk_result"
          /** The path of the request. */
          url: string
          summary: {
            total: number
            succeeded: number
            failed: number
          }
          /** One for each item, in the order of the items. */
          results: Array<{
            index: number
            status: 404 | 409 | 422 | 500
            error: components['schemas']['ValidationFailedProblem'] | components['schemas']['ResourceNotFoundProblem'] | components['schemas']['InternalErrorProblem'] | components['schemas']['InsufficientStockConflict'] | components['schemas']['DuplicateOrderConflict'] | components['schemas']['InvalidTransitionConflict'] | components['schemas']['OrderClosedConflict']
          }>
        } } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/orders/{id}': {
    /** Read an order. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Order'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Move or annotate an order. A status the lifecycle forbids is a 409 with valid_targets. The address can be changed while the order is open. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['OrderChange'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Order'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidTransitionConflict'] | components['schemas']['OrderClosedConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/payments': {
    /** List payments. With status=mismatched,unmatched: those that pay no order before a person has decided. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** Any of these, comma-separated, in any case. */
          status?: Array<"authorized" | "paid" | "failed" | "mismatched" | "unmatched">
          /** Any of these, comma-separated, in any case. */
          provider?: Array<"stripe" | "generic" | "manual">
          order_id?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Payment']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/payments/{id}': {
    /** Read a payment. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the payment. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Payment'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/payments/{id}/accept': {
    get?: never
    put?: never
    /** Accept a payment. Books a payment that is mismatched or unmatched as it is, whatever the order owes; the order is paid when the sum is reached. One that is unmatched needs order_id. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the payment. */
          id: string
        }
        cookie?: never
      }
      requestBody?: { content: { 'application/json': components['schemas']['Acceptance'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Payment'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PaymentSettledConflict'] | components['schemas']['AmountNotPositiveConflict'] | components['schemas']['CurrencyMismatchConflict'] | components['schemas']['PaymentRefundedConflict'] | components['schemas']['SumTooLargeConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/orders/{id}/payments': {
    /** List an order’s payments. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** Any of these, comma-separated, in any case. */
          status?: Array<"authorized" | "paid" | "failed" | "mismatched" | "unmatched">
          /** Any of these, comma-separated, in any case. */
          provider?: Array<"stripe" | "generic" | "manual">
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Payment']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Record a payment. Of money that came elsewhere, in cash or by bank: no money moves here. The order is paid when the sum is reached. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
        }
        cookie?: never
      }
      requestBody?: { content: { 'application/json': components['schemas']['NewPayment'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Payment'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AlreadyPaidConflict'] | components['schemas']['PaymentTooLargeConflict'] | components['schemas']['DuplicateReferenceConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/orders/{id}/refunds': {
    /** List an order’s refunds. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Refund']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Record a refund. Of money that was given back elsewhere: no money moves here. It completes a pending refund. All that was paid given back makes the order REFUNDED, unless it is cancelled. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
        }
        cookie?: never
      }
      requestBody?: { content: { 'application/json': components['schemas']['NewRefund'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refund'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RefundTooLargeConflict'] | components['schemas']['DuplicateRefundConflict'] | components['schemas']['AlreadyToldConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/orders/{id}/refunds/{refund_id}': {
    /** Read a refund. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the order. */
          id: string
          /** Names the refund. */
          refund_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refund'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/products': {
    /** List products. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at" | "updated_at" | "name" | "price_amount" | "stock"
          dir?: "asc" | "desc"
          /** @deprecated Deprecated: use cursor. */
          offset?: number
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** In the name, the sku or the category. */
          q?: string
          /** In the name. */
          name?: string
          /** The category, or the beginning of its path. */
          category?: string
          /** Any of these, comma-separated. */
          status?: Array<"draft" | "active" | "archived">
          /** The sku of the product or of a variant, exactly. */
          sku?: string
          /** Exactly. */
          external_id?: string
          /** Any of these, comma-separated. */
          stock_status?: Array<"in_stock" | "low_stock" | "out_of_stock" | "untracked">
          /** Fewer pieces available than this. */
          stock_below?: number
          /** In minor units, such as cents. */
          min_price?: number
          /** In minor units, such as cents. */
          max_price?: number
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Product']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Create a product. The currency is the workspace’s unless given. A sku or external_id that another product has is a conflict. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewProduct'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Product'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateSkuConflict'] | components['schemas']['DuplicateProductConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/products/bulk': {
    get?: never
    put?: never
    /** Create and change several products. Up to 50 items, counted as one write. An item with an id changes that product, one without creates a product; each succeeds or fails by itself. A sku or external_id that one item gives up is not free for another of the same request. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': {
          items: Array<components['schemas']['NewProduct'] | {
            /** The product to change. */
            id: string
            name?: string
            /** In minor units, such as cents. */
            price_amount?: number
            description?: string | null
            sku?: string | null
            /** The id this has in a system of yours; unique. */
            external_id?: string | null
            /** A path, such as Shoes/Sneakers. */
            category?: string | null
            status?: "draft" | "active" | "archived"
            /** In minor units, such as cents. */
            compare_at_amount?: number | null
            /** An ISO 4217 code in upper case, such as EUR. */
            currency?: string
            /** Pieces on hand; null when stock is not tracked. */
            stock?: number | null
            images?: Array<{
              url: string
              alt?: string | null
            }>
            attributes?: { [name: string]: string }
            tags?: Array<string>
            /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
            metadata?: { [name: string]: string }
            /** The whole list: a variant with its id keeps what is not given, one without is added, one left out is removed. */
            variants?: Array<{
              id?: string
              sku?: string | null
              name: string
              options?: { [name: string]: string }
              /** In minor units, such as cents. */
              price_amount?: number | null
              /** Pieces on hand; null when stock is not tracked. */
              stock?: number | null
            }>
          }>
        } | Array<components['schemas']['NewProduct'] | {
          /** The product to change. */
          id: string
          name?: string
          /** In minor units, such as cents. */
          price_amount?: number
          description?: string | null
          sku?: string | null
          /** The id this has in a system of yours; unique. */
          external_id?: string | null
          /** A path, such as Shoes/Sneakers. */
          category?: string | null
          status?: "draft" | "active" | "archived"
          /** In minor units, such as cents. */
          compare_at_amount?: number | null
          /** An ISO 4217 code in upper case, such as EUR. */
          currency?: string
          /** Pieces on hand; null when stock is not tracked. */
          stock?: number | null
          images?: Array<{
            url: string
            alt?: string | null
          }>
          attributes?: { [name: string]: string }
          tags?: Array<string>
          /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
          metadata?: { [name: string]: string }
          /** The whole list: a variant with its id keeps what is not given, one without is added, one left out is removed. */
          variants?: Array<{
            id?: string
            sku?: string | null
            name: string
            options?: { [name: string]: string }
            /** In minor units, such as cents. */
            price_amount?: number | null
            /** Pieces on hand; null when stock is not tracked. */
            stock?: number | null
          }>
        }> } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "bulk_result"
          /** The path of the request. */
          url: string
          summary: {
            total: number
            succeeded: number
            failed: number
          }
          /** One for each item, in the order of the items. */
          results: Array<{
            index: number
            status: 200 | 201
            data: components['schemas']['Product']
          }>
        } } }
        207: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "bulk_result"
          /** The path of the request. */
          url: string
          summary: {
            total: number
            succeeded: number
            failed: number
          }
          /** One for each item, in the order of the items. */
          results: Array<{
            index: number
            status: 200 | 201
            data: components['schemas']['Product']
          } | {
            index: number
            status: 404 | 409 | 422 | 500
            error: components['schemas']['ValidationFailedProblem'] | components['schemas']['ResourceNotFoundProblem'] | components['schemas']['InternalErrorProblem'] | components['schemas']['StockReservedConflict'] | components['schemas']['DuplicateSkuConflict'] | components['schemas']['DuplicateProductConflict']
          }>
        } } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] | {
          title: "Validation failed"
          /** Stable: switch on it. The address of a page. */
          type: `${string}/errors/validation-failed`
          status: 422
          /** What happened, for people. */
          detail: string
          /** The path of the request. */
          instance: string
          /** Quote it in support requests; also in X-Trace-Id. */
          trace_id: string
          /** The code of the first error. */
          code: string
          /** Everything that was found, up to 100 errors. */
          errors: Array<components['schemas']['FieldError']>
          /** Of too_long and attachment_too_large: what the channel of a conversation takes. */
          max?: number
          /** Of attachment_unsupported: what it carries. */
          allowed?: Array<string>
          object: "bulk_result"
          /** The path of the request. */
          url: string
          summary: {
            total: number
            succeeded: number
            failed: number
          }
          /** One for each item, in the order of the items. */
          results: Array<{
            index: number
            status: 404 | 409 | 422 | 500
            error: components['schemas']['ValidationFailedProblem'] | components['schemas']['ResourceNotFoundProblem'] | components['schemas']['InternalErrorProblem'] | components['schemas']['StockReservedConflict'] | components['schemas']['DuplicateSkuConflict'] | components['schemas']['DuplicateProductConflict']
          }>
        } } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/products/{id}': {
    /** Read a product. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the product. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Product'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Change a product. Only the fields given are changed. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the product. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['ProductChange'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Product'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['StockReservedConflict'] | components['schemas']['DuplicateSkuConflict'] | components['schemas']['DuplicateProductConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    /** Archive a product. Orders name it, so it is kept with the status archived and can no longer be ordered. */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the product. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Product'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/contacts': {
    /** List contacts. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at" | "updated_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** The beginning of the name in any case, or the whole e-mail address, phone number or external_id. */
          q?: string
          /** Exactly, in any case. */
          email?: string
          /** E.164. In a URL the plus sign is written %2B. */
          phone?: string
          /** Exactly. */
          external_id?: string
          /** With this tag, exactly. */
          tag?: string
          /** Only those that are, or are not, blocked. */
          blocked?: boolean
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Contact']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Create a contact. An external_id, e-mail address or phone number that another contact has is a conflict, which names that contact. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewContact'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Contact'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateContactExternalIdConflict'] | components['schemas']['DuplicateEmailConflict'] | components['schemas']['DuplicatePhoneConflict'] | components['schemas']['DuplicateContactConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/contacts/{id}': {
    /** Read a contact. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the contact. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Contact'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Change a contact. Only the fields given are changed; tags and attributes are replaced whole. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the contact. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['ContactChange'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Contact'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateContactExternalIdConflict'] | components['schemas']['DuplicateEmailConflict'] | components['schemas']['DuplicatePhoneConflict'] | components['schemas']['DuplicateContactConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/contacts/{id}/merge': {
    get?: never
    put?: never
    /** Merge another contact into this one. For one person who is known as two. This contact keeps its fields and gets those it lacks, with the tags, attributes, channels, conversations and orders of the other, which is a 404 with `merged_into` from then on. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the contact. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['ContactMerge'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Contact'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['BeingMergedConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations': {
    /** List conversations. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 20 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "updated_at" | "created_at"
          dir?: "asc" | "desc"
          /** @deprecated Deprecated: use cursor. */
          offset?: number
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** The customer: the beginning of their name in any case, or their whole e-mail address, phone number or external_id. */
          q?: string
          /** Any of these, comma-separated, in any case. */
          platform?: Array<"web" | "telegram" | "whatsapp" | "instagram" | "facebook" | "viber" | "email" | "api">
          /** Any of these, comma-separated, in any case. */
          status?: Array<"open" | "closed">
          /** Whether the assistant answers. */
          ai_status?: "on" | "paused"
          contact_id?: string
          /** me, none, or a user’s id. Nothing is assigned to an API key, so me with a key is a 422. */
          assigned_to?: string
          /** The connected account of the platform that it runs over. */
          channel_id?: string
          /** With messages that failed or whose fate is unknown, and that were neither sent again nor settled; or without. */
          failed?: boolean
          /** With messages that your staff have not answered, or without. */
          unread?: boolean
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Conversation']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/{id}': {
    /** Read a conversation. With its newest messages, the newest first. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ConversationDetail'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Close, reopen, assign or tag a conversation, or switch the assistant. Closing clears what is unread, failed or waiting. Resuming the assistant answers nothing that was said before. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': {
          status?: "open" | "closed"
          /** A user of the workspace; null: it is assigned to no user. */
          assigned_to?: string | null
          tags?: Array<string>
          /** Whether the assistant answers. */
          ai_status?: "on" | "paused"
        } } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ConversationDetail'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ConversationClosedConflict'] | components['schemas']['ContactBlockedConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/{id}/messages': {
    /** List a conversation’s messages. The newest first, unless dir is asc. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Message']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Write to the customer, or a note among your staff. The message is queued and sent over the conversation’s channel; its status tells how far it has come. The assistant is paused, and a closed conversation is reopened. The same text and file within a minute are a 409. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': {
          /** At most 4096 characters, or what the channel takes (its `limits`): a longer one is a 422 too_long with `max`. */
          text?: string
          /** A file that was uploaded. */
          attachments?: Array<{
            id: string
          }>
          /** Answers to press. */
          choices?: Array<{
            /** What the customer presses. */
            title: string
            /** 1 to 64 of A-Z, a-z, 0-9, _ and -. It comes back as choice_id. */
            id: string
          }>
          /** A note among your staff. */
          private?: boolean
          template?: {
            name: string
            /** As the platform writes it, such as en_US. */
            language: string
            /** What takes the places of its text. */
            parameters: Array<string>
          }
          in_reply_to?: string
          /** The newest message that the writer saw: refused with 409 answered_meanwhile where the customer was answered after it. */
          last_seen?: string
        } } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Message'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ConversationClosedConflict'] | components['schemas']['ReplyWindowClosedConflict'] | components['schemas']['ContactBlockedConflict'] | components['schemas']['ChannelDisabledConflict'] | components['schemas']['ChannelDeletedConflict'] | components['schemas']['DuplicateMessageConflict'] | components['schemas']['AnsweredMeanwhileConflict'] | components['schemas']['AttachmentSentConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/{id}/read': {
    get?: never
    put?: never
    /** Mark a conversation as read. Nothing in it is unread then; where the channel says so, the customer sees it. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ConversationDetail'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/{id}/typing': {
    get?: never
    put?: never
    /** Show that your staff is typing. To those who follow the conversation live, to a visitor of web chat, and at most every five seconds to the platform. It is kept nowhere. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Typing'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ChannelDisabledConflict'] | components['schemas']['ChannelDeletedConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/{id}/messages/{message_id}': {
    /** Read a message. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
          /** Names the message. */
          message_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Message'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Say what became of a message whose fate is unknown. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
          /** Names the message. */
          message_id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': {
          /** What became of a message whose fate was unknown. */
          status: "sent" | "failed"
        } } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Message'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['NotUnknownConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/{id}/messages/{message_id}/resend': {
    get?: never
    put?: never
    /** Send a message again. One that has failed or whose fate is unknown, as the same message. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the conversation. */
          id: string
          /** Names the message. */
          message_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Message'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ConversationClosedConflict'] | components['schemas']['ReplyWindowClosedConflict'] | components['schemas']['ContactBlockedConflict'] | components['schemas']['ChannelDisabledConflict'] | components['schemas']['ChannelDeletedConflict'] | components['schemas']['NotResendableConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/channels': {
    /** List channels. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Channel']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/channels/{id}': {
    /** Read a channel. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the channel. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Channel'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/conversations/live': {
    /** Follow conversations. Server-sent events: conversation and message, each whole, whenever one has changed; typing while a message is being written; reset when too much was missed. With Last-Event-ID what was missed comes first, from half a minute before it on and up to a day back, so some events come again. A stream ends after an hour. */
    get: {
      parameters: {
        query?: {
          /** Of this conversation alone. */
          conversation_id?: string
        }
        header?: {
          /** The id of the last event you have: what you missed since comes first. EventSource sends it by itself. */
          'Last-Event-ID'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/event-stream': string } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLiveStreamsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/attachments': {
    get?: never
    put?: never
    /** Upload a file for a message. The body is the file, of any Content-Type: what it is, its content tells. Name it in the attachments of one message within a day, or it goes. */
    post: {
      parameters: {
        query?: {
          /** The name of the file, such as invoice.pdf, as the customer is to see it. */
          name?: string
        }
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { '*/*': string } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Attachment'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['QuotaReachedConflict'] | components['schemas']['TooManyUploadsConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/attachments/{id}': {
    /** Fetch a file. The bytes, or a part of them. Pictures, sound and films are sent to be shown, all else to be saved. */
    get: {
      parameters: {
        query?: never
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** A part of the file, such as bytes=0-1023. For several at once the whole file is sent. */
          Range?: string
          /** The ETag of the file you have a part of: of another one the whole is sent. */
          'If-Range'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the attachment. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { '*/*': string } }
        206: { headers: Record<string, unknown>; content: { '*/*': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AttachmentPendingConflict'] | components['schemas']['TooManyDownloadsConflict'] } }
        416: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RangeNotSatisfiableProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/resources/{resourceFullId}': {
    /** List the records of an app’s resource. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at" | "updated_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** Exactly. */
          external_id?: string
          /** Only records that are linked to this: the id of a contact, an order or a product. */
          linked_to?: string
          /** Fields that the app declares: `filter[tier]=gold`, and for numbers and dates `filter[points][gte]=100`, likewise gt, lt and lte. */
          filter?: { [name: string]: string }
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the resource. */
          resourceFullId: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Record']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Create a record. With the fields that the app declares. An external_id that a record of the resource has is a conflict, which names that record. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the resource. */
          resourceFullId: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewRecord'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Record'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AppDisabledConflict'] | components['schemas']['DuplicateRecordConflict'] | components['schemas']['RecordChangingConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/resources/{resourceFullId}/{id}': {
    /** Read a record. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the resource. */
          resourceFullId: string
          /** Names the record. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Record'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Change a record. Only the fields given are changed; null empties one that is not required. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the resource. */
          resourceFullId: string
          /** Names the record. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['RecordChange'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Record'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AppDisabledConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    /** Delete a record. */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the resource. */
          resourceFullId: string
          /** Names the record. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['DeletedRecord'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AppDisabledConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports': {
    /** List imports. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Any of these, comma-separated. */
          resource?: Array<"products" | "orders" | "contacts">
          /** Any of these, comma-separated. */
          status?: Array<"uploading" | "queued" | "running" | "completed" | "failed" | "cancelled">
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Import']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Import a file of products, orders or contacts. The body is the file: NDJSON, or CSV with a header. It is taken in as it comes; rows are applied by a worker once all of it is here. A 202: its progress is at Location. */
    post: {
      parameters: {
        query: {
          /** What the rows are. */
          resource: "products" | "orders" | "contacts"
          /** With upsert a row changes what has its id, else its external_id, else its sku, e-mail address or phone number, where that exists. */
          mode?: "create" | "upsert"
          /** Checks every row as the import would, and changes nothing. */
          dry_run?: boolean
          /** Whether each row written emits its event. */
          events?: boolean
          /** Of a CSV; told from its header unless given. */
          delimiter?: "comma" | "semicolon" | "tab" | "pipe"
          /** Of the file. */
          encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252"
        }
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/x-ndjson': string; 'text/csv': string } }
      responses: {
        202: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Import'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ImportCancelledConflict'] | components['schemas']['TooManyImportsConflict'] | components['schemas']['QuotaReachedConflict'] | components['schemas']['TooManyUploadsConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports/{id}': {
    /** Read an import’s progress. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the import. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Import'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports/{id}/progress': {
    /** Follow an import. Server-sent events: progress whenever it has changed, then done, each with the import as its data. A reader who comes back starts with how it stands. */
    get: {
      parameters: {
        query?: never
        header?: {
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the import. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/event-stream': string } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyProgressStreamsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports/{id}/errors': {
    /** List what was wrong with an import’s rows. In the order of the file. A row may have several. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the import. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['ImportError']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports/{id}/errors.ndjson': {
    /** Download what was wrong, as NDJSON. */
    get: {
      parameters: {
        query?: never
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the import. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/x-ndjson': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyDownloadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports/{id}/errors.csv': {
    /** Download what was wrong, as CSV. */
    get: {
      parameters: {
        query?: never
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the import. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/csv': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyDownloadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/imports/{id}/cancel': {
    get?: never
    put?: never
    /** Cancel an import. What was applied stays, the rest is dropped. One that is over stays as it is. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the import. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Import'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports/orders': {
    /** Download all orders. Oldest first, as they are read: no row twice, and none left out that was there when the download began. The rows are sent as they are read; a connection that ends before the last chunk means that the file is not complete. */
    get: {
      parameters: {
        query?: {
          /** NDJSON is a JSON object a line; CSV is RFC 4180 with a header. */
          format?: "ndjson" | "csv"
          /** A comma list of field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object. */
          fields?: string
          /** Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8. */
          bom?: boolean
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** An order’s number, its external_id, or the customer’s e-mail address. */
          q?: string
          /** Any of these, comma-separated, in any case. */
          status?: Array<"pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED">
          /** Any of these, comma-separated, in any case. */
          payment_status?: Array<"unpaid" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed">
          /** Any of these, comma-separated, in any case. */
          fulfillment_status?: Array<"unfulfilled" | "shipped" | "delivered" | "returned">
          /** Any of these, comma-separated, in any case. */
          source?: Array<"api" | "dashboard" | "ai_agent" | "crm">
          /** Exactly, in any case. */
          customer_email?: string
          contact_id?: string
          external_id?: string
          number?: number
          /** In minor units, such as cents. */
          min_total?: number
          /** In minor units, such as cents. */
          max_total?: number
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/x-ndjson': string; 'text/csv': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyDownloadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports/products': {
    /** Download all products. Oldest first, as they are read: no row twice, and none left out that was there when the download began. The rows are sent as they are read; a connection that ends before the last chunk means that the file is not complete. */
    get: {
      parameters: {
        query?: {
          /** NDJSON is a JSON object a line; CSV is RFC 4180 with a header. */
          format?: "ndjson" | "csv"
          /** A comma list of field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object. */
          fields?: string
          /** Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8. */
          bom?: boolean
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** In the name, the sku or the category. */
          q?: string
          /** In the name. */
          name?: string
          /** The category, or the beginning of its path. */
          category?: string
          /** Any of these, comma-separated. */
          status?: Array<"draft" | "active" | "archived">
          /** The sku of the product or of a variant, exactly. */
          sku?: string
          /** Exactly. */
          external_id?: string
          /** Any of these, comma-separated. */
          stock_status?: Array<"in_stock" | "low_stock" | "out_of_stock" | "untracked">
          /** Fewer pieces available than this. */
          stock_below?: number
          /** In minor units, such as cents. */
          min_price?: number
          /** In minor units, such as cents. */
          max_price?: number
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/x-ndjson': string; 'text/csv': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyDownloadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports/contacts': {
    /** Download all contacts. Oldest first, as they are read: no row twice, and none left out that was there when the download began. The rows are sent as they are read; a connection that ends before the last chunk means that the file is not complete. */
    get: {
      parameters: {
        query?: {
          /** NDJSON is a JSON object a line; CSV is RFC 4180 with a header. */
          format?: "ndjson" | "csv"
          /** A comma list of field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object. */
          fields?: string
          /** Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8. */
          bom?: boolean
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
          /** The beginning of the name in any case, or the whole e-mail address, phone number or external_id. */
          q?: string
          /** Exactly, in any case. */
          email?: string
          /** E.164. In a URL the plus sign is written %2B. */
          phone?: string
          /** Exactly. */
          external_id?: string
          /** With this tag, exactly. */
          tag?: string
          /** Only those that are, or are not, blocked. */
          blocked?: boolean
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/x-ndjson': string; 'text/csv': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyDownloadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports': {
    /** List exports. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Export']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Order an export. Its file is written by a worker, to be fetched when it is complete. A 202: its progress is at Location. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewOrdersExport'] | components['schemas']['NewProductsExport'] | components['schemas']['NewContactsExport'] } }
      responses: {
        202: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Export'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyExportsConflict'] | components['schemas']['QuotaReachedConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports/{id}': {
    /** Read an export’s progress. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the export. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Export'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports/{id}/cancel': {
    get?: never
    put?: never
    /** Cancel an export. What was written goes, also the file of a completed one. One that failed or was cancelled stays as it is. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the export. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Export'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/exports/{id}/download': {
    /** Download an export’s file. Sent compressed to those who accept gzip, as which it is kept. */
    get: {
      parameters: {
        query?: never
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the export. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/x-ndjson': string; 'text/csv': string } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ExportNotCompleteConflict'] | components['schemas']['TooManyDownloadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks': {
    /** List webhooks. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Webhook']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Create a webhook. The answer holds the signing secret, which is shown this once. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewWebhook'] } }
      responses: {
        201: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CreatedWebhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['QuotaReachedConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}': {
    /** Read a webhook. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Webhook'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    /** Change a webhook. With a url of another origin (scheme, host or port) the webhook’s own headers are dropped, unless the same request gives them again: they were meant for the receiver before. */
    patch: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['WebhookChange'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ChangedWebhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['QuotaReachedConflict'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    /** Delete a webhook. At once: what is pending for it is not sent, and neither it nor its log can be read any more. */
    delete: {
      parameters: {
        query?: never
        header?: {
          /** The ETag your change is based on, or *; a 412 when it is no longer the current one. */
          'If-Match'?: string
          /** An HTTP date; a 412 when the resource changed later. If-Match decides where both are given. */
          'If-Unmodified-Since'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "webhook"
          id: string
          deleted: true
        } } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        412: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PreconditionFailedProblem'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/pause': {
    get?: never
    put?: never
    /** Pause a webhook. Deliveries are made and wait, until it is resumed. What is in flight is finished. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Webhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['WebhookDisabledConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/resume': {
    get?: never
    put?: never
    /** Resume a webhook. What has waited is sent. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Webhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['WebhookDisabledConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/enable': {
    get?: never
    put?: never
    /** Enable a webhook. With a clean slate: its failures are forgotten. You say what becomes of what was held and of what happened meanwhile; where that takes work the webhook is paused, with catching_up, until it is done. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: { content: { 'application/json': {
          /** What was already waiting when it was disabled. */
          pending?: "send" | "drop"
          /** What happened while it was disabled. */
          missed?: "send" | "drop"
        } } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Webhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/disable': {
    get?: never
    put?: never
    /** Disable a webhook. What is pending is kept; for events that happen meanwhile no deliveries are made. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Webhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/rotate-secret': {
    get?: never
    put?: never
    /** Rotate a webhook’s secret. The answer holds the new secret, which is shown this once. For 24 hours, or until you confirm the new one, the old one signs as well. Rotating again before that replaces the new one. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CreatedWebhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/rotate-secret/confirm': {
    get?: never
    put?: never
    /** Confirm a webhook’s new secret. Your receivers have it: from now on the old one does not sign any more. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Webhook'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/deliveries': {
    /** List a webhook’s deliveries. One for each event, the newest event first. Kept for 30 days. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "event_id"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Only these, comma-separated. */
          state?: Array<"pending" | "succeeded" | "failed" | "dropped">
          /** Only these, comma-separated. */
          type?: Array<"order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "product.created" | "product.updated" | "message.received" | "message.sent" | "message.failed" | "conversation.started" | "webhook.test">
          /** Only of this event. */
          event_id?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['WebhookDelivery']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/deliveries/{event_id}': {
    /** Read a delivery. With the event it carries, and every attempt: request, response, timings. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
          /** Names the delivery. */
          event_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookDeliveryDetail'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/health': {
    /** Read a webhook’s health. How its receiver has been doing in the last 24 hours, or over the latest 10 000 attempts, where there were more. Recoveries and tests are not counted. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookHealth'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/recoveries': {
    /** List a webhook’s recoveries. Redeliveries and tests included. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['WebhookRecovery']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    /** Send many events again. Beside live deliveries, which it does not delay; also while the webhook is paused or disabled. A 202: its progress is at Location. With dry_run a 200 that says how many it would send. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody: { content: { 'application/json': {
          /** failed: deliveries that used up their attempts. undelivered: those, the dropped ones, and what happened while the webhook was disabled. all: everything, also what was delivered. */
          scope: "failed" | "undelivered" | "all"
          /** Of events from this time on, not one in the future. Required with all. */
          since?: string
          /** Of events before this time; now unless given. */
          until?: string
          /** Unless given: those the webhook subscribes to; with failed, any. */
          types?: Array<"order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "product.created" | "product.updated" | "message.received" | "message.sent" | "message.failed" | "conversation.started">
          /** Only count; the answer is a 200. */
          dry_run?: boolean
          max_per_second?: number
        } } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookRecoveryPreview'] } }
        202: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookRecovery'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RecoveryRunningConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/recoveries/{recovery_id}': {
    /** Read a recovery’s progress. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
          /** Names the recovery. */
          recovery_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookRecovery'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/recoveries/{recovery_id}/cancel': {
    get?: never
    put?: never
    /** Cancel a recovery. What is in flight is finished. One that is over stays as it is. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
          /** Names the recovery. */
          recovery_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookRecovery'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/deliveries/{event_id}/redeliver': {
    get?: never
    put?: never
    /** Send one event again. Whatever became of it, also one that was never sent to this webhook. A 202: its progress is at Location. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
          /** Names the event. */
          event_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        202: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookRecovery'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/webhooks/{id}/test': {
    get?: never
    put?: never
    /** Send a test event. webhook.test, or the example of the type you name: an event that did not happen, with the header X-Service-Test: true. A 202: its progress is at Location, and the attempt is in the delivery log. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the webhook. */
          id: string
        }
        cookie?: never
      }
      requestBody?: { content: { 'application/json': {
          type?: "webhook.test" | "order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "product.created" | "product.updated" | "message.received" | "message.sent" | "message.failed" | "conversation.started"
        } } }
      responses: {
        202: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WebhookRecovery'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/events': {
    /** List events. In the order of their commits, oldest first: a program that reads on from the last event it has misses none, also of those that were being written at the same time. */
    get: {
      parameters: {
        query?: {
          /** What came later than this: a resume_cursor, a next_cursor or the id of an event. From the oldest unless given. */
          after?: string
          /** The same as after. */
          cursor?: string
          /** Only these, comma-separated. */
          types?: Array<"order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "payment.mismatched" | "payment.disputed" | "product.created" | "product.updated" | "product.low_stock" | "contact.created" | "contact.tagged" | "contact.merged" | "message.received" | "message.sent" | "message.failed" | "conversation.started" | "conversation.closed" | "conversation.reopened" | "ai.paused" | "ai.resumed" | "ai.escalation_requested" | "proposal.created" | "proposal.decided" | "channel.failing" | "webhook.disabled">
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Event']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
          /** On every page, the last too: give it as after, now or later, for what came after this page. It stays good when events are pruned, and passes over those that types left out. null while nothing has ever happened. */
          resume_cursor: string | null
          /** At the end of the events: when the first of those happened that are not here yet, because a transaction of the database that began before them has lasted for more than 5 seconds. They come once it ends. null as a rule. */
          held_back_since: string | null
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/events/{id}': {
    /** Read an event. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the event. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Event'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/event-types': {
    /** List event types. All of them, on one page. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['EventType']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps': {
    /** List apps. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at" | "updated_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Updated later than this. */
          updated_after?: string
          /** Updated earlier than this. */
          updated_before?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['App']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}': {
    /** Read an app. By its id, app_…, or by that of its manifest, such as acme:loyalty. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['App'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/health': {
    /** Read an app’s health. What came of calls of its skills in the last 24 hours, or of the latest 10 000, where there were more. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['AppHealth'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/calls': {
    /** List an app’s calls. The newest first. Kept for 30 days. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Only of this skill. */
          skill_id?: string
          /** Only for these, comma-separated. */
          purpose?: Array<"conversation" | "run" | "test">
          /** Only those that ended there, comma-separated. */
          stage?: Array<"input" | "network" | "http" | "output" | "done">
          /** Only those that ended so, comma-separated. */
          code?: Array<"config_required" | "app_disabled" | "invalid_input" | "budget_exhausted" | "busy" | "app_unavailable" | "private_address" | "dns" | "tls" | "timeout" | "connection" | "redirect" | "http_status" | "not_json" | "truncated" | "invalid_output">
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['SkillCall']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/calls/{id}': {
    /** Read a call. With what was asked and what was answered. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
          /** Names the call. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['SkillCallDetail'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/skills/test': {
    get?: never
    put?: never
    /** Test a skill. Calls the live service, as the assistant and flows do, and shows what was asked and what was answered. An installed skill is called with its app’s credential, one that is written here without any. What the app refuses is `ok: false`. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['SkillTrial'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['SkillTest'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/sandbox/execute': {
    get?: never
    put?: never
    /** Run a script in a sandbox. A fault of the script is an answer too. A script of a workspace waits for the one before it; two may wait. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewScript'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ScriptRun'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/copilot/generate': {
    get?: never
    put?: never
    /** Draft a manifest. From a description, or by changing a given manifest as the description says. Nothing is installed. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody: { content: { 'application/json': components['schemas']['NewManifestDraft'] } }
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ManifestDraft'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyDraftsConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/runs': {
    /** List an app’s runs. Of its flows, the newest first. Kept for 30 days after they ended. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
          /** Any of these, comma-separated, in any case. */
          status?: Array<"queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped">
          /** Only runs of this flow. */
          flow_id?: string
          /** Only runs on this event. */
          event_id?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Run']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/runs/{id}': {
    /** Read a run. With each step that it has come to: what it was given, and what came of it. */
    get: {
      parameters: {
        query?: {
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
          /** Names the run. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['RunDetail'] } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/runs/{id}/retry': {
    get?: never
    put?: never
    /** Retry a run. A run that failed goes on at the step that failed: what was done before is not done again, and a skill is called with the same key. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
          /** Names the run. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['RunDetail'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['NotFailedConflict'] | components['schemas']['EventGoneConflict'] | components['schemas']['FlowDisabledConflict'] | components['schemas']['AppDisabledConflict'] | components['schemas']['ConfigRequiredConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/apps/{app}/runs/{id}/cancel': {
    get?: never
    put?: never
    /** Cancel a run. It ends before its next step. */
    post: {
      parameters: {
        query?: never
        header?: {
          /** A text that you choose for this request. A repeat within 24 hours is a 409 that holds the first answer. */
          'Idempotency-Key'?: string
          /** Needed with a browser’s session, never with a key: the token in the meta tag `csrf-token` of each page of the service. */
          'X-CSRF-Token'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path: {
          /** Names the app. */
          app: string
          /** Names the run. */
          id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['RunDetail'] } }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        404: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ResourceNotFoundProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RunOverConflict'] | components['schemas']['DuplicateIdempotencyKeyConflict'] | components['schemas']['RequestInProgressConflict'] } }
        413: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['PayloadTooLargeProblem'] } }
        415: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['UnsupportedMediaTypeProblem'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/platform/notifications': {
    /** List notifications. What apps have told the team in the last 30 days. */
    get: {
      parameters: {
        query?: {
          /** The next_cursor of the page before. Opaque. */
          cursor?: string
          /** The most items of a page; 50 unless given. A page that reaches 1 MB ends with that item. */
          limit?: number
          /** A comma list of field paths, dotted for nested ones; only these are returned. */
          fields?: string
          /** What to sort by; the id breaks ties. */
          sort?: "created_at"
          dir?: "asc" | "desc"
          /** Created later than this. */
          created_after?: string
          /** Created earlier than this. */
          created_before?: string
        }
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': {
          object: "list"
          /** The path of the request. */
          url: string
          data: Array<components['schemas']['Notification']>
          /** For the next page; null on the last. Absent from answers to offset. */
          next_cursor?: string | null
          /** Whether there is a next page. A page may hold few items, even none, while there is. */
          has_more: boolean
        } } }
        304: { headers: Record<string, unknown>; content?: never }
        401: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['AuthenticationRequiredProblem'] } }
        403: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InvalidApiKeyProblem'] | components['schemas']['InsufficientScopeProblem'] } }
        409: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['TooManyLongReadsConflict'] } }
        422: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ValidationFailedProblem'] } }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
  '/api/v1/openapi.json': {
    /** This document. */
    get: {
      parameters: {
        query?: never
        header?: {
          /** ETags you have, or *; a 304 when the current one is among them. */
          'If-None-Match'?: string
          /** W3C Trace Context: its trace id becomes X-Trace-Id. One that is not valid is ignored. */
          traceparent?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': { [name: string]: unknown } } }
        304: { headers: Record<string, unknown>; content?: never }
        429: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['RateLimitExceededProblem'] } }
        500: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['InternalErrorProblem'] } }
        503: { headers: Record<string, unknown>; content: { 'application/problem+json': components['schemas']['ServiceUnavailableProblem'] } }
      }
    }
    put?: never
    post?: never
    patch?: never
    delete?: never
    head?: never
    options?: never
    trace?: never
  }
}

export interface components {
  schemas: {
    AuthenticationRequiredProblem: {
      title: "Authentication required"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/authentication-required`
      status: 401
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    RateLimitExceededProblem: {
      title: "Rate limit exceeded"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/rate-limit-exceeded`
      status: 429
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      /** The same as Retry-After. */
      retry_after_sec: number
    }
    FieldError: {
      /** A path such as `items[0].quantity`, a query parameter or a header; empty for the body as a whole. */
      field: string
      /** What is wrong, for programs. New ones may be added. */
      code: string
      /** What is wrong and what is allowed, for people. */
      message: string
    }
    ValidationFailedProblem: {
      title: "Validation failed"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/validation-failed`
      status: 422
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      /** The code of the first error. */
      code: string
      /** Everything that was found, up to 100 errors. */
      errors: Array<components['schemas']['FieldError']>
      /** Of too_long and attachment_too_large: what the channel of a conversation takes. */
      max?: number
      /** Of attachment_unsupported: what it carries. */
      allowed?: Array<string>
    }
    ResourceNotFoundProblem: {
      title: "Resource not found"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/resource-not-found`
      status: 404
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      /** Why it is gone, where that is known. */
      code?: string
      /** The contact that this one was merged into. */
      merged_into?: string
    }
    PreconditionFailedProblem: {
      title: "Precondition failed"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/precondition-failed`
      status: 412
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    PayloadTooLargeProblem: {
      title: "Payload too large"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/payload-too-large`
      status: 413
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      /** What a body may have. */
      max_bytes?: number
      /** What a body may hold, counting each value of each object and list. */
      max_values?: number
      /** What a batch may hold. */
      max_items?: number
    }
    RangeNotSatisfiableProblem: {
      title: "Range not satisfiable"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/range-not-satisfiable`
      status: 416
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      /** The bytes of the whole file. */
      size_bytes: number
    }
    UnsupportedMediaTypeProblem: {
      title: "Unsupported media type"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/unsupported-media-type`
      status: 415
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    MethodNotAllowedProblem: {
      title: "Method not allowed"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/method-not-allowed`
      status: 405
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    InternalErrorProblem: {
      title: "Internal error"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/internal-error`
      status: 500
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    ServiceUnavailableProblem: {
      title: "Service unavailable"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/service-unavailable`
      status: 503
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    InvalidApiKeyProblem: {
      title: "Invalid API key"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/invalid-api-key`
      status: 403
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
    }
    InsufficientScopeProblem: {
      title: "Insufficient scope"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/insufficient-scope`
      status: 403
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      /** What the key lacks, or the app was not granted. */
      required_scope?: "read" | "write" | "read:records" | "write:records"
      /** What is lacking, where it is no scope of the key. */
      code?: string
    }
    Order: {
      object: "order"
      id: string
      /** Counts up within the workspace. */
      number: number
      /** The id this has in a system of yours; unique. */
      external_id: string | null
      source: "api" | "dashboard" | "ai_agent" | "crm"
      status: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
      payment_status: "unpaid" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed"
      fulfillment_status: "unfulfilled" | "shipped" | "delivered" | "returned"
      /** An ISO 4217 code in upper case, such as EUR. */
      currency: string
      /** In minor units, such as cents. */
      subtotal_amount: number
      /** In minor units, such as cents. */
      discount_amount: number
      /** In minor units, such as cents. */
      shipping_amount: number
      /** In minor units, such as cents. */
      tax_amount: number
      /** In minor units, such as cents. */
      total_amount: number
      /** In minor units, such as cents. */
      paid_amount: number
      /** In minor units, such as cents. */
      refunded_amount: number
      customer: {
        contact_id: string | null
        name: string | null
        email: string | null
        /** E.164: a plus sign, the country code and the number, such as +380441234567. */
        phone: string | null
      }
      items: Array<{
        id: string
        product_id: string | null
        variant_id: string | null
        sku: string | null
        name: string
        quantity: number
        /** In minor units, such as cents. */
        unit_amount: number
        /** In minor units, such as cents. */
        discount_amount: number
        /** In minor units, such as cents. */
        total_amount: number
        /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
        metadata: { [name: string]: string }
      }>
      shipping_address: {
        name: string | null
        /** E.164: a plus sign, the country code and the number, such as +380441234567. */
        phone: string | null
        line1: string | null
        line2: string | null
        city: string | null
        region: string | null
        postal_code: string | null
        /** ISO 3166-1 alpha-2 in upper case, such as UA. */
        country: string | null
        pickup_point: string | null
      } | null
      payment: {
        method: "card" | "cod" | "bank_transfer" | "payment_link" | "other"
        provider: string | null
        reference: string | null
        /** ISO 8601, UTC, with milliseconds. */
        paid_at: string | null
      } | null
      fulfillment: {
        carrier: string | null
        waybill_number: string
        tracking_url: string | null
        label_url: string | null
        /** ISO 8601, UTC, with milliseconds. */
        shipped_at: string
        /** ISO 8601, UTC, with milliseconds. */
        delivered_at: string | null
      } | null
      conversation_id: string | null
      note: string | null
      cancel_reason: "customer" | "out_of_stock" | "fraud" | "declined" | "other" | null
      tags: Array<string>
      /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
      metadata: { [name: string]: string }
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** ISO 8601, UTC, with milliseconds. */
      confirmed_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      paid_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      shipped_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      delivered_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      cancelled_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      refunded_at: string | null
    }
    TooManyLongReadsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_long_reads"
    }
    NewOrder: {
      items: Array<{
        product_id?: string
        sku?: string
        variant_id?: string
        name?: string
        /** In minor units, such as cents. */
        unit_amount?: number
        quantity: number
        /** In minor units, such as cents. */
        discount_amount?: number
        /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
        metadata?: { [name: string]: string }
      }>
      /** Give at least one of contact_id, email and phone. */
      customer: {
        contact_id?: string
        name?: string
        email?: string
        /** E.164: a plus sign, the country code and the number, such as +380441234567. */
        phone?: string
      }
      /** An ISO 4217 code in upper case, such as EUR. */
      currency?: string
      shipping_address?: {
        name?: string | null
        /** E.164: a plus sign, the country code and the number, such as +380441234567. */
        phone?: string | null
        line1?: string | null
        line2?: string | null
        city?: string | null
        region?: string | null
        postal_code?: string | null
        /** ISO 3166-1 alpha-2 in upper case, such as UA. */
        country?: string | null
        pickup_point?: string | null
      } | null
      /** In minor units, such as cents. */
      shipping_amount?: number
      /** In minor units, such as cents. */
      discount_amount?: number
      payment?: {
        method: "card" | "cod" | "bank_transfer" | "payment_link" | "other"
      }
      /** The id this has in a system of yours; unique. */
      external_id?: string | null
      source?: "api" | "dashboard" | "ai_agent" | "crm"
      note?: string | null
      tags?: Array<string>
      /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
      metadata?: { [name: string]: string }
    }
    InsufficientStockConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "insufficient_stock"
      field: string
      product_id: string
      variant_id: string | null
      available: number
    }
    DuplicateOrderConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_external_id"
      order_id: string
    }
    DuplicateIdempotencyKeyConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_idempotency_key"
      original: {
        status: number
        /** As first answered, but for what is shown only once. */
        body: unknown
      }
    }
    RequestInProgressConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "request_in_progress"
    }
    InvalidTransitionConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "invalid_transition"
      from: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
      to: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
      /** None when the status is final. */
      valid_targets: Array<"pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED">
    }
    OrderClosedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "order_closed"
    }
    OrderChange: {
      status?: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
      /** With status SHIPPED; MAN-<number> unless given. */
      waybill_number?: string
      /** With status SHIPPED. */
      carrier?: string
      tracking_url?: string
      /** With status CANCELLED; other unless given. */
      cancel_reason?: "customer" | "out_of_stock" | "fraud" | "declined" | "other"
      /** With status RETURNED: put the goods back on the shelf. */
      restock?: boolean
      /** While the order is open. */
      shipping_address?: {
        name?: string | null
        /** E.164: a plus sign, the country code and the number, such as +380441234567. */
        phone?: string | null
        line1?: string | null
        line2?: string | null
        city?: string | null
        region?: string | null
        postal_code?: string | null
        /** ISO 3166-1 alpha-2 in upper case, such as UA. */
        country?: string | null
        pickup_point?: string | null
      } | null
      note?: string | null
      tags?: Array<string>
      /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
      metadata?: { [name: string]: string }
    }
    Payment: {
      object: "payment"
      id: string
      order_id: string | null
      /** manual: recorded by hand. */
      provider: "stripe" | "generic" | "manual"
      provider_id: string | null
      /** The provider’s own id of it; unique for a provider. */
      reference: string | null
      method: "card" | "cod" | "bank_transfer" | "payment_link" | "other" | null
      /** In minor units, as the provider told it: where it is mismatched, it may be zero or negative. */
      amount: number
      /** An ISO 4217 code in upper case. */
      currency: string
      /** mismatched: it is not what its order still owes. unmatched: it names no order. Neither pays anything before it is accepted. */
      status: "authorized" | "paid" | "failed" | "mismatched" | "unmatched"
      /** In minor units, such as cents. */
      refunded_amount: number
      /** The dispute to be answered first; where all are decided, the last decided. */
      dispute: {
        id: string
        /** The provider’s word, such as needs_response, won or lost. */
        status: string
        reason: string | null
        amount: number
        /** Until when the provider takes your answer. */
        due_by: string | null
      } | null
      error: {
        /** Why it failed, in the provider’s word, or why it pays no order. */
        code: string
        message: string
      } | null
      /** ISO 8601, UTC, with milliseconds. */
      paid_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
    }
    Acceptance: {
      /** The order that an unmatched payment is for. */
      order_id?: string
    }
    PaymentSettledConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "payment_settled"
      payment_status: "authorized" | "paid" | "failed" | "mismatched" | "unmatched"
    }
    AmountNotPositiveConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "amount_not_positive"
    }
    CurrencyMismatchConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "currency_mismatch"
      /** An ISO 4217 code in upper case, such as EUR. */
      currency: string
    }
    PaymentRefundedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "payment_refunded"
    }
    SumTooLargeConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "sum_too_large"
    }
    NewPayment: {
      /** In minor units; what is still owed, unless given, and no more than that. */
      amount?: number
      /** As the order was placed, unless given. */
      method?: "card" | "cod" | "bank_transfer" | "payment_link" | "other"
      /** An id of yours, such as a receipt’s number. */
      reference?: string | null
      /** When it was paid; now, unless given. */
      paid_at?: string
    }
    AlreadyPaidConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "already_paid"
      /** What the order still owes. */
      owed_amount: number
    }
    PaymentTooLargeConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "payment_too_large"
      /** What the order still owes. */
      owed_amount: number
    }
    DuplicateReferenceConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_reference"
      payment_id: string
    }
    Refund: {
      object: "refund"
      id: string
      order_id: string
      /** What was given back, where that is known. */
      payment_id: string | null
      /** The provider’s own id, or one of yours. */
      reference: string | null
      /** In minor units, such as cents. */
      amount: number
      /** An ISO 4217 code in upper case, such as EUR. */
      currency: string
      /** Why, in words of your own or the provider’s. */
      reason: string | null
      /** With this refund all that was paid was given back. */
      full: boolean
      /** pending: the order is cancelled, and this is still to be given back. */
      status: "pending" | "completed" | "failed"
      /** ISO 8601, UTC, with milliseconds. */
      completed_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
    }
    NewRefund: {
      /** In minor units; all that was paid and not given back, unless given. */
      amount?: number
      /** Why, in words of your own or the provider’s. */
      reason?: string | null
      /** An id of yours, such as a receipt’s number. */
      reference?: string | null
    }
    RefundTooLargeConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "refund_too_large"
      /** What was paid and not given back. */
      refundable_amount: number
    }
    DuplicateRefundConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_refund"
    }
    AlreadyToldConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "already_told"
      refund_id: string
    }
    Product: {
      object: "product"
      id: string
      name: string
      description: string | null
      sku: string | null
      /** The id this has in a system of yours; unique. */
      external_id: string | null
      /** A path, such as Shoes/Sneakers. */
      category: string | null
      status: "draft" | "active" | "archived"
      /** In minor units, such as cents. */
      price_amount: number
      /** In minor units, such as cents. */
      compare_at_amount: number | null
      /** An ISO 4217 code in upper case, such as EUR. */
      currency: string
      images: Array<{
        url: string
        alt: string | null
      }>
      attributes: { [name: string]: string }
      tags: Array<string>
      /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
      metadata: { [name: string]: string }
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** Pieces on hand; null when stock is not tracked. */
      stock: number | null
      /** Pieces that open orders hold; available is stock less this. */
      reserved: number
      stock_status: "in_stock" | "low_stock" | "out_of_stock" | "untracked"
      variants: Array<{
        id: string
        sku: string | null
        name: string
        options: { [name: string]: string }
        /** In minor units, such as cents. */
        price_amount: number | null
        /** Pieces on hand; null when stock is not tracked. */
        stock: number | null
      }>
    }
    NewProduct: {
      name: string
      /** In minor units, such as cents. */
      price_amount: number
      description?: string | null
      sku?: string | null
      /** The id this has in a system of yours; unique. */
      external_id?: string | null
      /** A path, such as Shoes/Sneakers. */
      category?: string | null
      status?: "draft" | "active" | "archived"
      /** In minor units, such as cents. */
      compare_at_amount?: number | null
      /** An ISO 4217 code in upper case, such as EUR. */
      currency?: string
      /** Pieces on hand; null when stock is not tracked. */
      stock?: number | null
      images?: Array<{
        url: string
        alt?: string | null
      }>
      attributes?: { [name: string]: string }
      tags?: Array<string>
      /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
      metadata?: { [name: string]: string }
      variants?: Array<{
        sku?: string | null
        name: string
        options?: { [name: string]: string }
        /** In minor units, such as cents. */
        price_amount?: number | null
        /** Pieces on hand; null when stock is not tracked. */
        stock?: number | null
      }>
    }
    DuplicateSkuConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_sku"
      product_id?: string
    }
    DuplicateProductConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_external_id"
      product_id?: string
    }
    StockReservedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "stock_reserved"
      reserved?: number
      variant_id?: string
    }
    ProductChange: {
      name?: string
      /** In minor units, such as cents. */
      price_amount?: number
      description?: string | null
      sku?: string | null
      /** The id this has in a system of yours; unique. */
      external_id?: string | null
      /** A path, such as Shoes/Sneakers. */
      category?: string | null
      status?: "draft" | "active" | "archived"
      /** In minor units, such as cents. */
      compare_at_amount?: number | null
      /** An ISO 4217 code in upper case, such as EUR. */
      currency?: string
      /** Pieces on hand; null when stock is not tracked. */
      stock?: number | null
      images?: Array<{
        url: string
        alt?: string | null
      }>
      attributes?: { [name: string]: string }
      tags?: Array<string>
      /** Names and values of your own; handed back, never interpreted. A PATCH replaces it whole. */
      metadata?: { [name: string]: string }
      /** The whole list: a variant with its id keeps what is not given, one without is added, one left out is removed. */
      variants?: Array<{
        id?: string
        sku?: string | null
        name: string
        options?: { [name: string]: string }
        /** In minor units, such as cents. */
        price_amount?: number | null
        /** Pieces on hand; null when stock is not tracked. */
        stock?: number | null
      }>
    }
    Contact: {
      object: "contact"
      id: string
      name: string | null
      email: string | null
      /** E.164: a plus sign, the country code and the number, such as +380441234567. */
      phone: string | null
      /** A language tag (BCP 47), such as uk or pt-BR. */
      language: string | null
      avatar_url: string | null
      tags: Array<string>
      /** What their conversations were about, as the assistant tells it. */
      summary: string | null
      /** ISO 8601, UTC, with milliseconds. */
      summary_updated_at: string | null
      /** An ISO 4217 code in upper case, such as EUR. */
      currency: string
      /** Set by you. Their open conversations are closed, and what they write is kept unheard. Their orders are still taken. */
      blocked: boolean
      /** The id this has in a system of yours; unique. */
      external_id: string | null
      /** What you know of the customer, in names of your own. A PATCH replaces it whole. */
      attributes: { [name: string]: string }
      /** Grows by one with each write of the contact; not when counters move. */
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      orders_count: number
      /** In minor units, such as cents. */
      total_spent_amount: number
      /** ISO 8601, UTC, with milliseconds. */
      last_message_at: string | null
      /** Where they have written from, the first first. */
      channels: Array<{
        platform: string
        channel_id: string
        /** What the platform calls them, such as @ada; on web chat the e-mail address that they typed. */
        handle: string | null
        /** Their id on the platform. */
        external_id: string
        /** ISO 8601, UTC, with milliseconds. */
        connected_at: string
        /** Since when the platform says that they do not want to be written to; null once they write again. */
        unreachable_since: string | null
      }>
      /** The e-mail address was typed by a visitor of web chat, and nothing has proven that it is theirs. It identifies no contact: an order with this address, or a contact that you write it into, takes it over. A PATCH with the address confirms it. */
      email_claimed: boolean
    }
    /** Give at least one of name, email, phone and external_id. */
    NewContact: {
      name?: string | null
      email?: string | null
      /** E.164: a plus sign, the country code and the number, such as +380441234567. */
      phone?: string | null
      /** A language tag (BCP 47), such as uk or pt-BR. */
      language?: string | null
      avatar_url?: string | null
      tags?: Array<string>
      blocked?: boolean
      /** The id this has in a system of yours; unique. */
      external_id?: string | null
      /** What you know of the customer, in names of your own. A PATCH replaces it whole. */
      attributes?: { [name: string]: string }
    } & ({
      name: unknown
    } | {
      email: unknown
    } | {
      phone: unknown
    } | {
      external_id: unknown
    })
    DuplicateContactExternalIdConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_external_id"
      contact_id?: string
    }
    DuplicateEmailConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_email"
      contact_id?: string
    }
    DuplicatePhoneConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_phone"
      contact_id?: string
    }
    DuplicateContactConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_contact"
    }
    ContactChange: {
      name?: string | null
      email?: string | null
      /** E.164: a plus sign, the country code and the number, such as +380441234567. */
      phone?: string | null
      /** A language tag (BCP 47), such as uk or pt-BR. */
      language?: string | null
      avatar_url?: string | null
      tags?: Array<string>
      blocked?: boolean
      /** The id this has in a system of yours; unique. */
      external_id?: string | null
      /** What you know of the customer, in names of your own. A PATCH replaces it whole. */
      attributes?: { [name: string]: string }
    }
    /** The contact that becomes a part of this one. */
    ContactMerge: {
      contact_id: string
    }
    BeingMergedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "being_merged"
    }
    Conversation: {
      object: "conversation"
      id: string
      platform: "web" | "telegram" | "whatsapp" | "instagram" | "facebook" | "viber" | "email" | "api"
      /** The connected account of the platform that it runs over. */
      channel_id: string
      status: "open" | "closed"
      /** Whether the assistant answers. */
      ai_status: "on" | "paused"
      /** ISO 8601, UTC, with milliseconds. */
      ai_paused_at: string | null
      ai_paused_reason: "human_reply" | "manual" | "escalation" | "policy" | null
      ai_paused_by: string | null
      /** A user’s id. */
      assigned_to: string | null
      escalation: {
        /** ISO 8601, UTC, with milliseconds. */
        requested_at: string
        reason: string | null
      } | null
      /** ISO 8601, UTC, with milliseconds. */
      closed_at: string | null
      tags: Array<string>
      /** Grows by one with each write of the conversation itself; not with its messages. */
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** As the contact is now. */
      contact: {
        id: string
        name: string | null
        email: string | null
        /** The customer typed the address in web chat, and nothing has proven that it is theirs. */
        email_claimed: boolean
      }
      /** The customer’s messages since a member of your staff last answered or read. */
      unread_count: number
      /** Messages to the customer that failed or whose fate is unknown, and that were neither sent again nor settled. */
      failed_count: number
      messages_count: number
      /** Since when the customer waits for an answer. */
      waiting_since: string | null
      /** Notes among your staff are left out. */
      last_message: {
        id: string
        /** inbound: from the customer. */
        direction: "inbound" | "outbound"
        author: {
          type: "customer" | "ai" | "operator" | "app" | "system"
          /** The contact, the user, the key or the app; null for the assistant, and for a person who wrote in the platform’s app. */
          id: string | null
          name: string | null
          /** Where it was written; channel: on the platform itself. */
          via: "dashboard" | "api" | "cli" | "mcp" | "channel" | "flow" | null
        }
        /** Its first 200 characters. */
        text: string | null
        /** ISO 8601, UTC, with milliseconds. */
        created_at: string
      } | null
      /** Until when the platform takes a reply; null where nothing limits it. */
      reply_until: string | null
    }
    Message: {
      object: "message"
      id: string
      conversation_id: string
      /** inbound: from the customer. */
      direction: "inbound" | "outbound"
      author: {
        type: "customer" | "ai" | "operator" | "app" | "system"
        /** The contact, the user, the key or the app; null for the assistant, and for a person who wrote in the platform’s app. */
        id: string | null
        name: string | null
        /** Where it was written; channel: on the platform itself. */
        via: "dashboard" | "api" | "cli" | "mcp" | "channel" | "flow" | null
      }
      text: string | null
      attachments: Array<{
        id: string
        /** By what the file holds, whatever its sender called it. */
        type: "image" | "video" | "audio" | "file"
        url: string
        mime_type: string
        /** Null until it is known. */
        size_bytes: number | null
        name: string | null
        /** pending: it is being fetched from the platform. */
        status: "pending" | "stored" | "failed"
        /** Why it could not be had. */
        error: {
          /** Why, for programs. New ones may be added. */
          code: string
          /** Why, for people. */
          message: string
        } | null
      }>
      location: {
        latitude: number
        longitude: number
        name: string | null
        address: string | null
      } | null
      choices: Array<{
        /** What the customer presses. */
        title: string
        /** 1 to 64 of A-Z, a-z, 0-9, _ and -. It comes back as choice_id. */
        id: string
      }> | null
      /** The choice that the customer pressed; its title is the text. */
      choice_id: string | null
      template: {
        name: string
        /** As the platform writes it, such as en_US. */
        language: string
        /** What takes the places of its text. */
        parameters: Array<string>
      } | null
      /** The platform’s word for a message of a kind that cannot be shown. */
      unsupported: string | null
      /** A note among your staff: the customer never sees it. */
      private: boolean
      /** received: from the customer. The others tell how far an outbound one has come; unknown: the platform may have taken it, and it is not sent again by itself. */
      status: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | "unknown"
      /** Why an outbound message failed, or is unknown. */
      error: {
        /** Why, for programs. New ones may be added. */
        code: string
        /** Why, for people. */
        message: string
      } | null
      /** How often it was sent to the platform. */
      attempts: number
      /** ISO 8601, UTC, with milliseconds. */
      next_attempt_at: string | null
      in_reply_to: string | null
      /** Its id on the platform. */
      external_id: string | null
      reactions: Array<{
        emoji: string
        by: "customer" | "operator"
        /** ISO 8601, UTC, with milliseconds. */
        at: string
      }>
      /** What the assistant used, where it wrote the message. */
      ai: {
        skills: Array<string>
        sources: Array<string>
        proposal_id: string | null
      } | null
      /** When it was sent by the platform’s clock. Messages that came late stand after those that were there. */
      sent_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      edited_at: string | null
      /** Its text and files are gone then. */
      deleted_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
    }
    ConversationDetail: {
      object: "conversation"
      id: string
      platform: "web" | "telegram" | "whatsapp" | "instagram" | "facebook" | "viber" | "email" | "api"
      /** The connected account of the platform that it runs over. */
      channel_id: string
      status: "open" | "closed"
      /** Whether the assistant answers. */
      ai_status: "on" | "paused"
      /** ISO 8601, UTC, with milliseconds. */
      ai_paused_at: string | null
      ai_paused_reason: "human_reply" | "manual" | "escalation" | "policy" | null
      ai_paused_by: string | null
      /** A user’s id. */
      assigned_to: string | null
      escalation: {
        /** ISO 8601, UTC, with milliseconds. */
        requested_at: string
        reason: string | null
      } | null
      /** ISO 8601, UTC, with milliseconds. */
      closed_at: string | null
      tags: Array<string>
      /** Grows by one with each write of the conversation itself; not with its messages. */
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** As the contact is now. */
      contact: {
        id: string
        name: string | null
        email: string | null
        /** The customer typed the address in web chat, and nothing has proven that it is theirs. */
        email_claimed: boolean
      }
      /** The customer’s messages since a member of your staff last answered or read. */
      unread_count: number
      /** Messages to the customer that failed or whose fate is unknown, and that were neither sent again nor settled. */
      failed_count: number
      messages_count: number
      /** Since when the customer waits for an answer. */
      waiting_since: string | null
      /** Notes among your staff are left out. */
      last_message: {
        id: string
        /** inbound: from the customer. */
        direction: "inbound" | "outbound"
        author: {
          type: "customer" | "ai" | "operator" | "app" | "system"
          /** The contact, the user, the key or the app; null for the assistant, and for a person who wrote in the platform’s app. */
          id: string | null
          name: string | null
          /** Where it was written; channel: on the platform itself. */
          via: "dashboard" | "api" | "cli" | "mcp" | "channel" | "flow" | null
        }
        /** Its first 200 characters. */
        text: string | null
        /** ISO 8601, UTC, with milliseconds. */
        created_at: string
      } | null
      /** Until when the platform takes a reply; null where nothing limits it. */
      reply_until: string | null
      /** The newest 50, the newest first. The whole list is at …/messages. */
      messages: Array<components['schemas']['Message']>
    }
    ConversationClosedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "conversation_closed"
      /** The one in which the customer writes now. */
      conversation_id: string
    }
    ContactBlockedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "contact_blocked"
    }
    Typing: {
      object: "typing"
      conversation_id: string
      /** Until when it is shown. */
      until: string
    }
    ChannelDisabledConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "channel_disabled"
    }
    ChannelDeletedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "channel_deleted"
    }
    ReplyWindowClosedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "reply_window_closed"
      /** Until when the platform takes a reply; null where nothing limits it. */
      reply_until: string | null
    }
    DuplicateMessageConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_message"
      message_id: string
    }
    AnsweredMeanwhileConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "answered_meanwhile"
      message: components['schemas']['Message']
    }
    AttachmentSentConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "attachment_sent"
    }
    NotUnknownConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      /** received: from the customer. The others tell how far an outbound one has come; unknown: the platform may have taken it, and it is not sent again by itself. */
      status: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | "unknown"
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "not_unknown"
    }
    NotResendableConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      /** received: from the customer. The others tell how far an outbound one has come; unknown: the platform may have taken it, and it is not sent again by itself. */
      status: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | "unknown"
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "not_resendable"
    }
    Channel: {
      object: "channel"
      id: string
      platform: "telegram" | "whatsapp" | "facebook" | "instagram" | "api" | "web" | "viber" | "email"
      name: string
      /** disabled: what comes is kept and applied later, and nothing is sent. failing: its credentials are refused or its platform is away; messages wait. */
      status: "enabled" | "disabled" | "failing"
      /** Who it is on the platform; null where the platform has no accounts. */
      account: {
        id: string | null
        name: string | null
      }
      /** Where the platform sends what happens; null for web chat. */
      callback_url: string | null
      /** What was set, and the defaults of its platform. */
      settings: {
        /** A message so many hours after closing reopens the conversation. 24 unless set. */
        reopen_hours: number
        [name: string]: unknown
      }
      limits: {
        text_max: number
        text_unit: "characters" | "bytes"
        attachment_types: Array<"image" | "video" | "audio" | "file">
        /** Of the largest file that it carries; pictures may have to be smaller. */
        attachment_bytes: number
      }
      /** Messages that wait to be sent. */
      queued_count: number
      /** Messages of which it is not known whether they arrived. */
      unknown_count: number
      /** ISO 8601, UTC, with milliseconds. */
      last_inbound_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      last_sent_at: string | null
      last_error: string | null
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
    }
    TooManyLiveStreamsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_live_streams"
    }
    Attachment: {
      object: "attachment"
      id: string
      /** By what the file holds, whatever its sender called it. */
      type: "image" | "video" | "audio" | "file"
      url: string
      mime_type: string
      /** Null until it is known. */
      size_bytes: number | null
      name: string | null
      /** pending: it is being fetched from the platform. */
      status: "pending" | "stored" | "failed"
      /** Why it could not be had. */
      error: {
        /** Why, for programs. New ones may be added. */
        code: string
        /** Why, for people. */
        message: string
      } | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
    }
    QuotaReachedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "quota_reached"
      /** As much as there may be. */
      limit: number
    }
    TooManyUploadsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_uploads"
    }
    AttachmentPendingConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "attachment_pending"
    }
    TooManyDownloadsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_downloads"
    }
    /** What a record is about. Written by the service alone, by the relations that the app declares. */
    RecordLink: {
      target: "builtin:contact" | "builtin:order" | "builtin:product"
      id: string
    }
    /** Beside these members it has the fields that the app declares for the resource; those without a value are null. */
    Record: {
      object: "record"
      id: string
      /** The full id of its resource: vendor, app and resource. */
      resource: string
      /** The id this has in a system of yours; unique. */
      external_id: string | null
      /** Rises by one with each change. */
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      links: Array<components['schemas']['RecordLink']>
      [name: string]: unknown
    }
    /** Every required field of the resource, and any of its others. */
    NewRecord: {
      /** The id this has in a system of yours; unique within the resource. */
      external_id?: string | null
      [name: string]: unknown
    }
    AppDisabledConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "app_disabled"
    }
    DuplicateRecordConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "duplicate_external_id"
      /** The record that has it. */
      record_id: string
    }
    RecordChangingConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "record_changing"
    }
    /** The fields that change; those left out stay as they are. */
    RecordChange: { [name: string]: string | number | boolean | null }
    DeletedRecord: {
      object: "record"
      id: string
      deleted: true
    }
    Import: {
      object: "import"
      id: string
      resource: "products" | "orders" | "contacts"
      mode: "create" | "upsert"
      format: "ndjson" | "csv"
      dry_run: boolean
      events: boolean
      status: "uploading" | "queued" | "running" | "completed" | "failed" | "cancelled"
      /** Of the file. */
      bytes_received: number
      /** Rows of the file; null while it is uploaded. */
      rows_total: number | null
      /** Rows done with: created, updated, unchanged and failed. */
      rows_read: number
      /** Rows that became something new. */
      created: number
      /** Rows that changed what was there. */
      updated: number
      /** Rows that said what was there already. */
      unchanged: number
      /** Rows refused: see its errors. */
      failed: number
      /** Errors that can be read; of very many the first are kept. */
      errors_kept: number
      /** Since it was begun to be applied. */
      rows_per_second: number | null
      /** At this rate; null unless it is running. */
      seconds_left: number | null
      /** Why it failed; or, while it is running, what it waits for. */
      error: {
        code: string
        message: string
      } | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** ISO 8601, UTC, with milliseconds. */
      uploaded_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      started_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      finished_at: string | null
    }
    ImportCancelledConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "import_cancelled"
    }
    TooManyImportsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_imports"
    }
    TooManyProgressStreamsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_progress_streams"
    }
    ImportError: {
      object: "import_error"
      /** Of the file, where the row begins. */
      line: number
      /** A path such as items[0].quantity; empty for the row as a whole. */
      field: string
      code: string
      message: string
    }
    NewOrdersExport: {
      resource: "orders"
      /** NDJSON is a JSON object a line; CSV is RFC 4180 with a header. */
      format?: "ndjson" | "csv"
      /** Field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object. */
      fields?: Array<string>
      /** Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8. */
      bom?: boolean
      /** As the list of the resource takes them; a comma list there is an array here. */
      filters?: {
        /** Created later than this. */
        created_after?: string
        /** Created earlier than this. */
        created_before?: string
        /** Updated later than this. */
        updated_after?: string
        /** Updated earlier than this. */
        updated_before?: string
        /** An order’s number, its external_id, or the customer’s e-mail address. */
        q?: string
        /** Any of these, comma-separated, in any case. */
        status?: Array<"pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED">
        /** Any of these, comma-separated, in any case. */
        payment_status?: Array<"unpaid" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed">
        /** Any of these, comma-separated, in any case. */
        fulfillment_status?: Array<"unfulfilled" | "shipped" | "delivered" | "returned">
        /** Any of these, comma-separated, in any case. */
        source?: Array<"api" | "dashboard" | "ai_agent" | "crm">
        /** Exactly, in any case. */
        customer_email?: string
        contact_id?: string
        external_id?: string
        number?: number
        /** In minor units, such as cents. */
        min_total?: number
        /** In minor units, such as cents. */
        max_total?: number
      }
    }
    NewProductsExport: {
      resource: "products"
      /** NDJSON is a JSON object a line; CSV is RFC 4180 with a header. */
      format?: "ndjson" | "csv"
      /** Field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object. */
      fields?: Array<string>
      /** Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8. */
      bom?: boolean
      /** As the list of the resource takes them; a comma list there is an array here. */
      filters?: {
        /** Created later than this. */
        created_after?: string
        /** Created earlier than this. */
        created_before?: string
        /** Updated later than this. */
        updated_after?: string
        /** Updated earlier than this. */
        updated_before?: string
        /** In the name, the sku or the category. */
        q?: string
        /** In the name. */
        name?: string
        /** The category, or the beginning of its path. */
        category?: string
        /** Any of these, comma-separated. */
        status?: Array<"draft" | "active" | "archived">
        /** The sku of the product or of a variant, exactly. */
        sku?: string
        /** Exactly. */
        external_id?: string
        /** Any of these, comma-separated. */
        stock_status?: Array<"in_stock" | "low_stock" | "out_of_stock" | "untracked">
        /** Fewer pieces available than this. */
        stock_below?: number
        /** In minor units, such as cents. */
        min_price?: number
        /** In minor units, such as cents. */
        max_price?: number
      }
    }
    NewContactsExport: {
      resource: "contacts"
      /** NDJSON is a JSON object a line; CSV is RFC 4180 with a header. */
      format?: "ndjson" | "csv"
      /** Field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object. */
      fields?: Array<string>
      /** Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8. */
      bom?: boolean
      /** As the list of the resource takes them; a comma list there is an array here. */
      filters?: {
        /** Created later than this. */
        created_after?: string
        /** Created earlier than this. */
        created_before?: string
        /** Updated later than this. */
        updated_after?: string
        /** Updated earlier than this. */
        updated_before?: string
        /** The beginning of the name in any case, or the whole e-mail address, phone number or external_id. */
        q?: string
        /** Exactly, in any case. */
        email?: string
        /** E.164. In a URL the plus sign is written %2B. */
        phone?: string
        /** Exactly. */
        external_id?: string
        /** With this tag, exactly. */
        tag?: string
        /** Only those that are, or are not, blocked. */
        blocked?: boolean
      }
    }
    Export: {
      object: "export"
      id: string
      resource: "orders" | "products" | "contacts"
      format: "ndjson" | "csv"
      fields: Array<string> | null
      bom: boolean
      filters: { [name: string]: unknown }
      state: "running" | "completed" | "failed" | "cancelled"
      /** Why it failed. */
      reason: string | null
      /** The same for programs: quota_reached, worker_ended or failed_too_often; there may be more. */
      reason_code: string | null
      /** Rows there were when it began; null until they are counted. */
      total: number | null
      /** Rows written so far. */
      rows: number
      /** Of the file so far, not compressed. */
      bytes: number
      /** Rows a second so far. */
      per_second: number
      /** At this rate; null while it cannot be told, and when it is over. */
      seconds_left: number | null
      /** The path of the file, once it is complete. */
      download: string | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      finished_at: string | null
      /** When the export and its file go. */
      expires_at: string | null
    }
    TooManyExportsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_exports"
    }
    ExportNotCompleteConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "export_not_complete"
      state: "running" | "completed" | "failed" | "cancelled"
    }
    Webhook: {
      object: "webhook"
      id: string
      url: string
      events: Array<string>
      description: string | null
      /** paused: deliveries are kept and wait. disabled: none are made. */
      status: "enabled" | "paused" | "disabled"
      /** Paused for the moment: what was held is being dropped, or what was missed is being owed; then it is enabled. */
      catching_up: boolean
      /** Catching up waits since then for a transaction of the database that began before the webhook was enabled, and may hold an event it missed. null as a rule. */
      held_back_since: string | null
      /** ISO 8601, UTC, with milliseconds. */
      disabled_at: string | null
      disabled_reason: string | null
      max_parallel: number
      max_per_minute: number | null
      /** The names of your own headers; the values are masked. */
      headers: { [name: string]: string }
      /** During a rotation: until when the old secret signs as well. */
      previous_secret_until: string | null
      /** The fifth in a row disables the webhook. */
      consecutive_failures: number
      /** ISO 8601, UTC, with milliseconds. */
      last_success_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      last_failure_at: string | null
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
    }
    NewWebhook: {
      /** An https address. http is refused. */
      url: string
      events: Array<"order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "product.created" | "product.updated" | "message.received" | "message.sent" | "message.failed" | "conversation.started">
      description?: string | null
      /** Requests at once; 1 delivers strictly in order. 8 unless given. */
      max_parallel?: number
      /** Requests a minute, never more; null for no limit. */
      max_per_minute?: number | null
      /** Headers of your own, sent with every delivery. Their values are never shown again. */
      headers?: { [name: string]: string }
    }
    CreatedWebhook: {
      object: "webhook"
      id: string
      url: string
      events: Array<string>
      description: string | null
      /** paused: deliveries are kept and wait. disabled: none are made. */
      status: "enabled" | "paused" | "disabled"
      /** Paused for the moment: what was held is being dropped, or what was missed is being owed; then it is enabled. */
      catching_up: boolean
      /** Catching up waits since then for a transaction of the database that began before the webhook was enabled, and may hold an event it missed. null as a rule. */
      held_back_since: string | null
      /** ISO 8601, UTC, with milliseconds. */
      disabled_at: string | null
      disabled_reason: string | null
      max_parallel: number
      max_per_minute: number | null
      /** The names of your own headers; the values are masked. */
      headers: { [name: string]: string }
      /** During a rotation: until when the old secret signs as well. */
      previous_secret_until: string | null
      /** The fifth in a row disables the webhook. */
      consecutive_failures: number
      /** ISO 8601, UTC, with milliseconds. */
      last_success_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      last_failure_at: string | null
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** Signs every delivery. Shown this once. */
      secret: string
    }
    WebhookChange: {
      /** An https address. http is refused. */
      url?: string
      events?: Array<"order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "product.created" | "product.updated" | "message.received" | "message.sent" | "message.failed" | "conversation.started">
      description?: string | null
      /** Requests at once; 1 delivers strictly in order. 8 unless given. */
      max_parallel?: number
      /** Requests a minute, never more; null for no limit. */
      max_per_minute?: number | null
      /** Adds and replaces headers by name; null takes one away. Those not named stay, unless the url moves to another origin. */
      headers?: { [name: string]: string | null }
    }
    ChangedWebhook: {
      object: "webhook"
      id: string
      url: string
      events: Array<string>
      description: string | null
      /** paused: deliveries are kept and wait. disabled: none are made. */
      status: "enabled" | "paused" | "disabled"
      /** Paused for the moment: what was held is being dropped, or what was missed is being owed; then it is enabled. */
      catching_up: boolean
      /** Catching up waits since then for a transaction of the database that began before the webhook was enabled, and may hold an event it missed. null as a rule. */
      held_back_since: string | null
      /** ISO 8601, UTC, with milliseconds. */
      disabled_at: string | null
      disabled_reason: string | null
      max_parallel: number
      max_per_minute: number | null
      /** The names of your own headers; the values are masked. */
      headers: { [name: string]: string }
      /** During a rotation: until when the old secret signs as well. */
      previous_secret_until: string | null
      /** The fifth in a row disables the webhook. */
      consecutive_failures: number
      /** ISO 8601, UTC, with milliseconds. */
      last_success_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      last_failure_at: string | null
      version: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
      /** The names of your own headers that the webhook lost as it moved to another origin; present where there are any. Give them again if the new receiver shall have them. */
      headers_dropped?: Array<string>
    }
    WebhookDisabledConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "webhook_disabled"
    }
    WebhookDelivery: {
      object: "webhook_delivery"
      event_id: string
      webhook_id: string
      type: string
      /** Sent on request to try the receiver. */
      test: boolean
      state: "pending" | "succeeded" | "failed" | "dropped"
      attempts: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      first_attempt_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      finished_at: string | null
      /** Of a pending one, while its webhook is enabled: not before this. */
      next_attempt_at: string | null
      last_attempt: {
        /** ISO 8601, UTC, with milliseconds. */
        at: string
        status: number | null
        error: string | null
        duration_ms: number
      } | null
      /** Why a pending one has not been sent. */
      waiting: {
        /** turn: due, and next when there is room. in_flight: it is being sent. backlog: as many others of its webhook as may be under way at once are, and go first. retry: its own schedule. order: the one before it is tried again first. endpoint_failing: nothing is sent after several failures in a row. rate_limit: max_per_minute. catching_up: its webhook was enabled again and catches up first. */
        reason: "turn" | "in_flight" | "backlog" | "retry" | "order" | "endpoint_failing" | "rate_limit" | "catching_up" | "paused" | "disabled"
        /** ISO 8601, UTC, with milliseconds. */
        until: string | null
      } | null
    }
    WebhookDeliveryDetail: {
      object: "webhook_delivery"
      event_id: string
      webhook_id: string
      type: string
      /** Sent on request to try the receiver. */
      test: boolean
      state: "pending" | "succeeded" | "failed" | "dropped"
      attempts: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      first_attempt_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      finished_at: string | null
      /** Of a pending one, while its webhook is enabled: not before this. */
      next_attempt_at: string | null
      last_attempt: {
        /** ISO 8601, UTC, with milliseconds. */
        at: string
        status: number | null
        error: string | null
        duration_ms: number
      } | null
      /** Why a pending one has not been sent. */
      waiting: {
        /** turn: due, and next when there is room. in_flight: it is being sent. backlog: as many others of its webhook as may be under way at once are, and go first. retry: its own schedule. order: the one before it is tried again first. endpoint_failing: nothing is sent after several failures in a row. rate_limit: max_per_minute. catching_up: its webhook was enabled again and catches up first. */
        reason: "turn" | "in_flight" | "backlog" | "retry" | "order" | "endpoint_failing" | "rate_limit" | "catching_up" | "paused" | "disabled"
        /** ISO 8601, UTC, with milliseconds. */
        until: string | null
      } | null
      /** The envelope: the body of every request. */
      event: { [name: string]: unknown }
      /** The latest 100 attempts, the last first. */
      log: Array<{
        attempt: number
        /** ISO 8601, UTC, with milliseconds. */
        started_at: string
        duration_ms: number
        status: number | null
        error: string | null
        /** The recovery that made it; such attempts say nothing of the health. */
        recovery_id: string | null
        timings: {
          dns_ms: number | null
          connect_ms: number | null
          tls_ms: number | null
          first_byte_ms: number | null
          total_ms: number | null
        }
        request: {
          method: "POST"
          /** With the values of its query masked. */
          url: string | null
          headers: { [name: string]: unknown }
        }
        response: {
          /** Cookies, tokens and the like are masked. */
          headers: { [name: string]: unknown }
          /** Its first 16 KB, or what came of it. */
          body: string
          /** Why the body is not whole. size: there was more. timeout: it had not come to its end within 12 seconds. connection-reset and the like: it broke off. */
          truncated: string | null
        } | null
      }>
    }
    WebhookHealth: {
      object: "webhook_health"
      webhook_id: string
      status: "enabled" | "paused" | "disabled"
      /** How far the counts reach back at most; see since. */
      hours: number
      /** From when on attempts are counted: 24 hours ago, or later where there were too many. The latest 10 000 are counted, out of 20 000 with those of recoveries. */
      since: string
      /** Since then, retries included; those of recoveries and tests are not counted. */
      attempts: number
      succeeded: number
      failed: number
      success_rate: number | null
      /** Of the attempts counted, failed ones included: from the start of the request to the end of the answer. */
      duration_ms: {
        p50: number | null
        p95: number | null
      }
      /** ISO 8601, UTC, with milliseconds. */
      last_success_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      last_failure_at: string | null
      last_error: {
        /** ISO 8601, UTC, with milliseconds. */
        at: string
        status: number | null
        error: string
      } | null
      consecutive_failures: number
      /** Nothing is sent before this; then one delivery tries. */
      silent_until: string | null
      pending: number
      /** 10000 were counted, and there are more. */
      pending_at_least: boolean
      /** ISO 8601, UTC, with milliseconds. */
      oldest_pending_at: string | null
      oldest_pending_seconds: number | null
    }
    WebhookRecovery: {
      object: "webhook_recovery"
      id: string
      webhook_id: string
      scope: "failed" | "undelivered" | "all" | "event" | "test"
      /** Of a redelivery or a test. */
      event_id: string | null
      /** Null: of every type. */
      types: Array<string> | null
      state: "running" | "completed" | "failed" | "cancelled"
      reason: string | null
      /** Events to send, as far as they were counted at the request; see total_at_least. */
      total: number
      /** Counting ended at 10000 events to send, or where it would have taken long: there may be more. */
      total_at_least: boolean
      done: number
      succeeded: number
      failed: number
      max_per_second: number
      /** On average so far. */
      per_second: number
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      finished_at: string | null
    }
    WebhookRecoveryPreview: {
      object: "webhook_recovery_preview"
      webhook_id: string
      scope: "failed" | "undelivered" | "all"
      types: Array<string> | null
      /** ISO 8601, UTC, with milliseconds. */
      since: string | null
      /** ISO 8601, UTC, with milliseconds. */
      until: string
      /** Events to send, as far as they were counted at the request; see total_at_least. */
      total: number
      /** Counting ended at 10000 events to send, or where it would have taken long: there may be more. */
      total_at_least: boolean
    }
    RecoveryRunningConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "recovery_running"
      recovery_id?: string
    }
    Event: {
      object: "event"
      id: string
      type: "order.created" | "order.paid" | "order.shipped" | "order.cancelled" | "order.refunded" | "order.status_changed" | "payment.mismatched" | "payment.disputed" | "product.created" | "product.updated" | "product.low_stock" | "contact.created" | "contact.tagged" | "contact.merged" | "message.received" | "message.sent" | "message.failed" | "conversation.started" | "conversation.closed" | "conversation.reopened" | "ai.paused" | "ai.resumed" | "ai.escalation_requested" | "proposal.created" | "proposal.decided" | "channel.failing" | "webhook.disabled"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** As the webhook carries it: a snapshot of that moment. */
      data: { [name: string]: unknown }
    }
    EventType: {
      object: "event_type"
      name: string
      description: string
      /** Whether a webhook may subscribe to it; the others are for flows. */
      subscribable: boolean
      /** JSON Schema of the envelope’s data. */
      schema: { [name: string]: unknown }
      /** A whole envelope. */
      example: { [name: string]: unknown }
    }
    /** With what its service is called. The secret is never shown. */
    AppCredential: {
      mode: "none" | "bearer" | "hmac"
      set: boolean
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string | null
    }
    AppSetting: {
      key: string
      type: string
      required: boolean
      /** Null where none is set. A secret has none: it is never shown. */
      value?: string | number | boolean | null
      /** Of a secret: whether it has a value. */
      set?: boolean
      /** ISO 8601, UTC, with milliseconds. */
      updated_at?: string | null
    }
    AppResource: {
      id: string
      full_id: string
      name: string
      fields: Array<string>
    }
    AppSkill: {
      id: string
      name: string
    }
    AppView: {
      id: string
      name: string
      target: string
    }
    AppKnowledge: {
      title: string
      id: string
    }
    AppFlow: {
      id: string
      name: string
      trigger: string
      enabled: boolean
    }
    App: {
      object: "app"
      id: string
      /** Of the manifest: <vendor>:<slug>. */
      full_id: string
      name: string
      description: string | null
      author: string
      /** As its author wrote it. */
      version: string
      /** Rises by one with each changed manifest. */
      revision: number
      /** needs_config: a required setting has no value, so no skill is called and no flow begins. */
      status: "active" | "needs_config" | "disabled"
      /** The keys of required settings without a value. */
      missing_config: Array<string>
      /** What it was granted. */
      scopes: Array<string>
      credential: components['schemas']['AppCredential']
      config: Array<components['schemas']['AppSetting']>
      resources: Array<components['schemas']['AppResource']>
      skills: Array<components['schemas']['AppSkill']>
      views: Array<components['schemas']['AppView']>
      knowledge: Array<components['schemas']['AppKnowledge']>
      flows: Array<components['schemas']['AppFlow']>
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      updated_at: string
    }
    AppBreaker: {
      /** open: it has not answered lately, and is spared. */
      state: "closed" | "open"
      consecutive_failures: number
      /** ISO 8601, UTC, with milliseconds. */
      spared_until: string | null
    }
    AppHealth: {
      object: "app_health"
      app_id: string
      full_id: string
      status: "active" | "needs_config" | "disabled"
      /** How far the counts reach back at most; see since. */
      hours: number
      /** From when on calls are counted: 24 hours ago, or later where there were too many. */
      since: string
      /** Of its skills; trials by their author are not counted. */
      calls: {
        total: number
        succeeded: number
        failed: number
        /** How many by code; done of those that succeeded. */
        outcomes: { [name: string]: number }
        duration_ms: {
          p50: number | null
          p95: number | null
        }
      }
      /** How many runs of its flows are in each state. */
      runs: { [name: string]: number }
      breaker: components['schemas']['AppBreaker']
      last_error: {
        /** ISO 8601, UTC, with milliseconds. */
        at: string
        skill_id: string
        code: string | null
        error: string | null
      } | null
    }
    SkillCall: {
      object: "skill_call"
      id: string
      app_id: string
      /** The revision of the manifest that was called. */
      revision: number
      skill_id: string
      purpose: "conversation" | "run" | "test"
      conversation_id: string | null
      run_id: string | null
      step_id: string | null
      /** waiting: a run asks again when the app may be called. cancelled: that run is over. lost: its process died, and nothing has asked for it again. */
      status: "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "lost"
      /** How far it came. input: it was refused before it was begun. network: no whole answer came. http: the answer is no 2xx. output: the answer is not as promised. done: it has an output. */
      stage: "input" | "network" | "http" | "output" | "done" | null
      /** Why it has no output. */
      code: "config_required" | "app_disabled" | "invalid_input" | "budget_exhausted" | "busy" | "app_unavailable" | "private_address" | "dns" | "tls" | "timeout" | "connection" | "redirect" | "http_status" | "not_json" | "truncated" | "invalid_output" | null
      /** In words. */
      error: string | null
      http_status: number | null
      attempts_count: number
      /** There was more of an answer than is read. */
      truncated: boolean
      duration_ms: number | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      ended_at: string | null
    }
    SkillRequest: {
      method: "POST"
      url: string
      /** As they were sent last; Authorization is masked. Empty where nothing was sent. */
      headers: { [name: string]: unknown }
      /** The arguments as canonical JSON (RFC 8785). Secrets of the app’s settings are masked. */
      body: string
    }
    SkillCallDetail: {
      object: "skill_call"
      id: string
      app_id: string
      /** The revision of the manifest that was called. */
      revision: number
      skill_id: string
      purpose: "conversation" | "run" | "test"
      conversation_id: string | null
      run_id: string | null
      step_id: string | null
      /** waiting: a run asks again when the app may be called. cancelled: that run is over. lost: its process died, and nothing has asked for it again. */
      status: "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "lost"
      /** How far it came. input: it was refused before it was begun. network: no whole answer came. http: the answer is no 2xx. output: the answer is not as promised. done: it has an output. */
      stage: "input" | "network" | "http" | "output" | "done" | null
      /** Why it has no output. */
      code: "config_required" | "app_disabled" | "invalid_input" | "budget_exhausted" | "busy" | "app_unavailable" | "private_address" | "dns" | "tls" | "timeout" | "connection" | "redirect" | "http_status" | "not_json" | "truncated" | "invalid_output" | null
      /** In words. */
      error: string | null
      http_status: number | null
      attempts_count: number
      /** There was more of an answer than is read. */
      truncated: boolean
      duration_ms: number | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      ended_at: string | null
      /** The Idempotency-Key that was sent. */
      key: string
      request: components['schemas']['SkillRequest']
      response: {
        status: number
        /** Cookies, tokens and the like are masked. */
        headers: { [name: string]: unknown }
        /** Its first 16 KB. */
        body: string
        /** How many were read of it, at most 256 KB. */
        bytes: number
        /** The answer is longer than this body. */
        truncated: boolean
      } | null
      attempts: Array<{
        /** 1, or 2 for the only retry. */
        number: number
        /** The status of the answer; null where none came. */
        status: number | null
        error: string | null
        duration_ms: number
        /** ISO 8601, UTC, with milliseconds. */
        started_at: string
      }>
      /** What of the arguments, or of the answer, does not fit its schema. */
      errors: Array<{
        field: string
        code: string
        message: string
      }>
    }
    NewSkill: {
      /** Unique among the app’s skills. Letters, digits, dots, hyphens and underscores, at most 63, beginning with a letter or a digit. */
      id: string
      /** What people read. */
      name: string
      /** An instruction to the assistant: when to call it, and what comes of it. */
      description: string
      /** The https address of your service that is called. */
      endpoint: string
      /** A JSON Schema with "type": "object". */
      inputSchema: Record<string, never>
      /** A JSON Schema. */
      outputSchema?: Record<string, never>
    }
    /** Give either app_id and skill_id, or skill. */
    SkillTrial: {
      /** Of an installed app: app_…, or the id of its manifest. */
      app_id?: string
      /** One of its skills. */
      skill_id?: string
      skill?: components['schemas']['NewSkill']
      /** What it is called with. */
      arguments: Record<string, never>
    }
    SkillTest: {
      object: "skill_test"
      /** It has an output. What the app refuses is an answer like any other. */
      ok: boolean
      /** How far it came. input: it was refused before it was begun. network: no whole answer came. http: the answer is no 2xx. output: the answer is not as promised. done: it has an output. */
      stage: "input" | "network" | "http" | "output" | "done"
      /** The output, as the assistant and flows get it; null where there is none. */
      value: unknown
      truncated: boolean
      /** Of the call in the app’s log; null for a skill that is not installed. */
      call_id: string | null
      request: components['schemas']['SkillRequest']
      response: {
        status: number
        /** Cookies, tokens and the like are masked. */
        headers: { [name: string]: unknown }
        /** Its first 16 KB. */
        body: string
        /** How many were read of it, at most 256 KB. */
        bytes: number
        /** The answer is longer than this body. */
        truncated: boolean
      } | null
      attempts: Array<{
        /** 1, or 2 for the only retry. */
        number: number
        /** The status of the answer; null where none came. */
        status: number | null
        error: string | null
        duration_ms: number
      }>
      /** Why it has no output. */
      errors: Array<{
        field: string
        code: string
        message: string
      }>
      duration_ms: number
    }
    NewScript: {
      /** JavaScript, as a script; at most 64 KB. It may use `await` anywhere. The value of its last expression, awaited, is the result. It has the language, `input` and `console`, and nothing else. */
      code: string
      /** What the script finds as `input`. */
      input?: unknown
      /** How long it may run. */
      timeout_ms?: number
    }
    ScriptRun: {
      /** Whether there is a result. */
      ok: boolean
      /** As its JSON, at most 256 KB; null where it has none, as undefined and functions have none, and where `ok` is false. */
      result: unknown
      /** What was logged: at most 1000 lines and 64 KB. */
      logs: Array<{
        level: "log" | "debug" | "info" | "warn" | "error"
        text: string
      }>
      /** Whether more was logged. */
      logs_truncated: boolean
      error: {
        /** `TimeoutError` where it ran for too long. */
        name: string
        message: string
        /** Of the script, from 1, where it is known. */
        line: number | null
      } | null
      duration_ms: number
    }
    NewManifestDraft: {
      /** What the app does, or how the given manifest is to change, in English sentences. */
      description: string
      /** A manifest that is to be changed; a new one is written without it. */
      manifest?: unknown
    }
    ManifestProblem: {
      path: string
      code: string
      message: string
    }
    ManifestDraft: {
      /** The manifest. Its scopes are those that it uses. */
      manifest: unknown
      /** Whether it can be installed as it is. */
      valid: boolean
      /** What an install would refuse. */
      problems: Array<components['schemas']['ManifestProblem']>
      /** What of the description was not understood, or left out and why. */
      notes: Array<string>
    }
    TooManyDraftsConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "too_many_drafts"
    }
    Run: {
      object: "run"
      id: string
      app_id: string
      flow_id: string
      /** Of the app’s manifest: a run ends on the one that it began with. */
      revision: number
      /** What it began with. */
      event: {
        id: string
        type: string
      }
      /** Of the event: how many runs of flows led to it, one after another. */
      depth: number
      /** A person asked for it. */
      is_replay: boolean
      /** skipped: it may not run on this event, see code. */
      status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
      /** Why it waits, failed, was cancelled or skipped, for programs. New ones may be added. */
      code: string | null
      /** Why, for people. */
      reason: string | null
      /** When it goes on; null when it is over. */
      due_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      started_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      ended_at: string | null
    }
    RunStep: {
      id: string
      /** cancelled: its run was, while the step was under way or waited. */
      status: "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
      /** As rendered, with secrets masked; null where it came to none. */
      input: unknown
      /** What later steps name. */
      output: unknown
      error: {
        code: string
        message: string
      } | null
      /** Why it was skipped, or waits. */
      reason: string | null
      /** How often it was begun after it had failed, the first time included. */
      attempts: number
      /** ISO 8601, UTC, with milliseconds. */
      started_at: string
      /** ISO 8601, UTC, with milliseconds. */
      ended_at: string | null
    }
    RunDetail: {
      object: "run"
      id: string
      app_id: string
      flow_id: string
      /** Of the app’s manifest: a run ends on the one that it began with. */
      revision: number
      /** What it began with. */
      event: {
        id: string
        type: string
      }
      /** Of the event: how many runs of flows led to it, one after another. */
      depth: number
      /** A person asked for it. */
      is_replay: boolean
      /** skipped: it may not run on this event, see code. */
      status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
      /** Why it waits, failed, was cancelled or skipped, for programs. New ones may be added. */
      code: string | null
      /** Why, for people. */
      reason: string | null
      /** When it goes on; null when it is over. */
      due_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      /** ISO 8601, UTC, with milliseconds. */
      started_at: string | null
      /** ISO 8601, UTC, with milliseconds. */
      ended_at: string | null
      /** Those it has come to, in their order. */
      steps: Array<components['schemas']['RunStep']>
    }
    NotFailedConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "not_failed"
      run_status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
    }
    EventGoneConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "event_gone"
      run_status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
    }
    FlowDisabledConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "flow_disabled"
      run_status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
    }
    ConfigRequiredConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "config_required"
    }
    RunOverConflict: {
      title: "Conflict"
      /** Stable: switch on it. The address of a page. */
      type: `${string}/errors/conflict`
      status: 409
      /** What happened, for people. */
      detail: string
      /** The path of the request. */
      instance: string
      /** Quote it in support requests; also in X-Trace-Id. */
      trace_id: string
      code: "run_over"
      run_status: "queued" | "running" | "waiting" | "succeeded" | "failed" | "cancelled" | "skipped"
    }
    Notification: {
      title: string
      object: "notification"
      id: string
      /** The app that tells it. */
      app: {
        id: string
        name: string
      }
      /** The run of its flow. */
      run_id: string | null
      /** A warning is mailed to the admins too. */
      level: "info" | "warning"
      body: string
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
    }
    OrderCreatedEvent: {
      /** The same in every attempt. */
      id: string
      type: "order.created"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        order_id: string
        order: components['schemas']['Order']
      }
    }
    OrderPaidEvent: {
      /** The same in every attempt. */
      id: string
      type: "order.paid"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        order_id: string
        order: components['schemas']['Order']
        payment: {
          method: "card" | "cod" | "bank_transfer" | "payment_link" | "other"
          provider: string | null
          reference: string | null
          /** ISO 8601, UTC, with milliseconds. */
          paid_at: string | null
        } | null
      }
    }
    OrderShippedEvent: {
      /** The same in every attempt. */
      id: string
      type: "order.shipped"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        order_id: string
        order: components['schemas']['Order']
        fulfillment: {
          carrier: string | null
          waybill_number: string
          tracking_url: string | null
          label_url: string | null
          /** ISO 8601, UTC, with milliseconds. */
          shipped_at: string
          /** ISO 8601, UTC, with milliseconds. */
          delivered_at: string | null
        } | null
        previous_status: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
      }
    }
    OrderCancelledEvent: {
      /** The same in every attempt. */
      id: string
      type: "order.cancelled"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        order_id: string
        order: components['schemas']['Order']
        reason: "customer" | "out_of_stock" | "fraud" | "declined" | "other"
        previous_status: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
        refund_pending: boolean
      }
    }
    OrderRefundedEvent: {
      /** The same in every attempt. */
      id: string
      type: "order.refunded"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        order_id: string
        order: components['schemas']['Order']
        refund: {
          id: string
          amount: number
          currency: string
          reason: string | null
          full: boolean
          /** ISO 8601, UTC, with milliseconds. */
          completed_at: string
        }
      }
    }
    OrderStatusChangedEvent: {
      /** The same in every attempt. */
      id: string
      type: "order.status_changed"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        order_id: string
        order: components['schemas']['Order']
        from: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
        to: "pending" | "confirmed" | "processing" | "SHIPPED" | "DELIVERED" | "RETURNED" | "CANCELLED" | "REFUNDED"
        actor: {
          type: string
          id: string | null
        }
        reason: string | null
      }
    }
    ProductCreatedEvent: {
      /** The same in every attempt. */
      id: string
      type: "product.created"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        product_id: string
        product: components['schemas']['Product']
      }
    }
    ProductUpdatedEvent: {
      /** The same in every attempt. */
      id: string
      type: "product.updated"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        product_id: string
        product: components['schemas']['Product']
        /** The names of the fields that differ from before. */
        changed: Array<string>
      }
    }
    MessageReceivedEvent: {
      /** The same in every attempt. */
      id: string
      type: "message.received"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        message: components['schemas']['Message']
        conversation: components['schemas']['Conversation']
        contact: components['schemas']['Contact']
      }
    }
    MessageSentEvent: {
      /** The same in every attempt. */
      id: string
      type: "message.sent"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        message: components['schemas']['Message']
        conversation: components['schemas']['Conversation']
        contact: components['schemas']['Contact']
      }
    }
    MessageFailedEvent: {
      /** The same in every attempt. */
      id: string
      type: "message.failed"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        message: components['schemas']['Message']
        conversation: components['schemas']['Conversation']
        contact: components['schemas']['Contact']
      }
    }
    ConversationStartedEvent: {
      /** The same in every attempt. */
      id: string
      type: "conversation.started"
      /** ISO 8601, UTC, with milliseconds. */
      created_at: string
      data: {
        conversation: components['schemas']['Conversation']
        contact: components['schemas']['Contact']
        first_message: {
          object: "message"
          id: string
          conversation_id: string
          /** inbound: from the customer. */
          direction: "inbound" | "outbound"
          author: {
            type: "customer" | "ai" | "operator" | "app" | "system"
            /** The contact, the user, the key or the app; null for the assistant, and for a person who wrote in the platform’s app. */
            id: string | null
            name: string | null
            /** Where it was written; channel: on the platform itself. */
            via: "dashboard" | "api" | "cli" | "mcp" | "channel" | "flow" | null
          }
          text: string | null
          attachments: Array<{
            id: string
            /** By what the file holds, whatever its sender called it. */
            type: "image" | "video" | "audio" | "file"
            url: string
            mime_type: string
            /** Null until it is known. */
            size_bytes: number | null
            name: string | null
            /** pending: it is being fetched from the platform. */
            status: "pending" | "stored" | "failed"
            /** Why it could not be had. */
            error: {
              /** Why, for programs. New ones may be added. */
              code: string
              /** Why, for people. */
              message: string
            } | null
          }>
          location: {
            latitude: number
            longitude: number
            name: string | null
            address: string | null
          } | null
          choices: Array<{
            /** What the customer presses. */
            title: string
            /** 1 to 64 of A-Z, a-z, 0-9, _ and -. It comes back as choice_id. */
            id: string
          }> | null
          /** The choice that the customer pressed; its title is the text. */
          choice_id: string | null
          template: {
            name: string
            /** As the platform writes it, such as en_US. */
            language: string
            /** What takes the places of its text. */
            parameters: Array<string>
          } | null
          /** The platform’s word for a message of a kind that cannot be shown. */
          unsupported: string | null
          /** A note among your staff: the customer never sees it. */
          private: boolean
          /** received: from the customer. The others tell how far an outbound one has come; unknown: the platform may have taken it, and it is not sent again by itself. */
          status: "received" | "queued" | "sent" | "delivered" | "read" | "failed" | "unknown"
          /** Why an outbound message failed, or is unknown. */
          error: {
            /** Why, for programs. New ones may be added. */
            code: string
            /** Why, for people. */
            message: string
          } | null
          /** How often it was sent to the platform. */
          attempts: number
          /** ISO 8601, UTC, with milliseconds. */
          next_attempt_at: string | null
          in_reply_to: string | null
          /** Its id on the platform. */
          external_id: string | null
          reactions: Array<{
            emoji: string
            by: "customer" | "operator"
            /** ISO 8601, UTC, with milliseconds. */
            at: string
          }>
          /** What the assistant used, where it wrote the message. */
          ai: {
            skills: Array<string>
            sources: Array<string>
            proposal_id: string | null
          } | null
          /** When it was sent by the platform’s clock. Messages that came late stand after those that were there. */
          sent_at: string | null
          /** ISO 8601, UTC, with milliseconds. */
          edited_at: string | null
          /** Its text and files are gone then. */
          deleted_at: string | null
          /** ISO 8601, UTC, with milliseconds. */
          created_at: string
        } | null
      }
    }
  }
}

/** What a webhook's receiver is sent. */
export type WebhookEvent = components['schemas']['OrderCreatedEvent'] | components['schemas']['OrderPaidEvent'] | components['schemas']['OrderShippedEvent'] | components['schemas']['OrderCancelledEvent'] | components['schemas']['OrderRefundedEvent'] | components['schemas']['OrderStatusChangedEvent'] | components['schemas']['ProductCreatedEvent'] | components['schemas']['ProductUpdatedEvent'] | components['schemas']['MessageReceivedEvent'] | components['schemas']['MessageSentEvent'] | components['schemas']['MessageFailedEvent'] | components['schemas']['ConversationStartedEvent']

export type AuthenticationRequiredProblem = components['schemas']['AuthenticationRequiredProblem']
export type RateLimitExceededProblem = components['schemas']['RateLimitExceededProblem']
export type FieldError = components['schemas']['FieldError']
export type ValidationFailedProblem = components['schemas']['ValidationFailedProblem']
export type ResourceNotFoundProblem = components['schemas']['ResourceNotFoundProblem']
export type PreconditionFailedProblem = components['schemas']['PreconditionFailedProblem']
export type PayloadTooLargeProblem = components['schemas']['PayloadTooLargeProblem']
export type RangeNotSatisfiableProblem = components['schemas']['RangeNotSatisfiableProblem']
export type UnsupportedMediaTypeProblem = components['schemas']['UnsupportedMediaTypeProblem']
export type MethodNotAllowedProblem = components['schemas']['MethodNotAllowedProblem']
export type InternalErrorProblem = components['schemas']['InternalErrorProblem']
export type ServiceUnavailableProblem = components['schemas']['ServiceUnavailableProblem']
export type InvalidApiKeyProblem = components['schemas']['InvalidApiKeyProblem']
export type InsufficientScopeProblem = components['schemas']['InsufficientScopeProblem']
export type Order = components['schemas']['Order']
export type TooManyLongReadsConflict = components['schemas']['TooManyLongReadsConflict']
export type NewOrder = components['schemas']['NewOrder']
export type InsufficientStockConflict = components['schemas']['InsufficientStockConflict']
export type DuplicateOrderConflict = components['schemas']['DuplicateOrderConflict']
export type DuplicateIdempotencyKeyConflict = components['schemas']['DuplicateIdempotencyKeyConflict']
export type RequestInProgressConflict = components['schemas']['RequestInProgressConflict']
export type InvalidTransitionConflict = components['schemas']['InvalidTransitionConflict']
export type OrderClosedConflict = components['schemas']['OrderClosedConflict']
export type OrderChange = components['schemas']['OrderChange']
export type Payment = components['schemas']['Payment']
export type Acceptance = components['schemas']['Acceptance']
export type PaymentSettledConflict = components['schemas']['PaymentSettledConflict']
export type AmountNotPositiveConflict = components['schemas']['AmountNotPositiveConflict']
export type CurrencyMismatchConflict = components['schemas']['CurrencyMismatchConflict']
export type PaymentRefundedConflict = components['schemas']['PaymentRefundedConflict']
export type SumTooLargeConflict = components['schemas']['SumTooLargeConflict']
export type NewPayment = components['schemas']['NewPayment']
export type AlreadyPaidConflict = components['schemas']['AlreadyPaidConflict']
export type PaymentTooLargeConflict = components['schemas']['PaymentTooLargeConflict']
export type DuplicateReferenceConflict = components['schemas']['DuplicateReferenceConflict']
export type Refund = components['schemas']['Refund']
export type NewRefund = components['schemas']['NewRefund']
export type RefundTooLargeConflict = components['schemas']['RefundTooLargeConflict']
export type DuplicateRefundConflict = components['schemas']['DuplicateRefundConflict']
export type AlreadyToldConflict = components['schemas']['AlreadyToldConflict']
export type Product = components['schemas']['Product']
export type NewProduct = components['schemas']['NewProduct']
export type DuplicateSkuConflict = components['schemas']['DuplicateSkuConflict']
export type DuplicateProductConflict = components['schemas']['DuplicateProductConflict']
export type StockReservedConflict = components['schemas']['StockReservedConflict']
export type ProductChange = components['schemas']['ProductChange']
export type Contact = components['schemas']['Contact']
export type NewContact = components['schemas']['NewContact']
export type DuplicateContactExternalIdConflict = components['schemas']['DuplicateContactExternalIdConflict']
export type DuplicateEmailConflict = components['schemas']['DuplicateEmailConflict']
export type DuplicatePhoneConflict = components['schemas']['DuplicatePhoneConflict']
export type DuplicateContactConflict = components['schemas']['DuplicateContactConflict']
export type ContactChange = components['schemas']['ContactChange']
export type ContactMerge = components['schemas']['ContactMerge']
export type BeingMergedConflict = components['schemas']['BeingMergedConflict']
export type Conversation = components['schemas']['Conversation']
export type Message = components['schemas']['Message']
export type ConversationDetail = components['schemas']['ConversationDetail']
export type ConversationClosedConflict = components['schemas']['ConversationClosedConflict']
export type ContactBlockedConflict = components['schemas']['ContactBlockedConflict']
export type Typing = components['schemas']['Typing']
export type ChannelDisabledConflict = components['schemas']['ChannelDisabledConflict']
export type ChannelDeletedConflict = components['schemas']['ChannelDeletedConflict']
export type ReplyWindowClosedConflict = components['schemas']['ReplyWindowClosedConflict']
export type DuplicateMessageConflict = components['schemas']['DuplicateMessageConflict']
export type AnsweredMeanwhileConflict = components['schemas']['AnsweredMeanwhileConflict']
export type AttachmentSentConflict = components['schemas']['AttachmentSentConflict']
export type NotUnknownConflict = components['schemas']['NotUnknownConflict']
export type NotResendableConflict = components['schemas']['NotResendableConflict']
export type Channel = components['schemas']['Channel']
export type TooManyLiveStreamsConflict = components['schemas']['TooManyLiveStreamsConflict']
export type Attachment = components['schemas']['Attachment']
export type QuotaReachedConflict = components['schemas']['QuotaReachedConflict']
export type TooManyUploadsConflict = components['schemas']['TooManyUploadsConflict']
export type AttachmentPendingConflict = components['schemas']['AttachmentPendingConflict']
export type TooManyDownloadsConflict = components['schemas']['TooManyDownloadsConflict']
export type RecordLink = components['schemas']['RecordLink']
export type Record = components['schemas']['Record']
export type NewRecord = components['schemas']['NewRecord']
export type AppDisabledConflict = components['schemas']['AppDisabledConflict']
export type DuplicateRecordConflict = components['schemas']['DuplicateRecordConflict']
export type RecordChangingConflict = components['schemas']['RecordChangingConflict']
export type RecordChange = components['schemas']['RecordChange']
export type DeletedRecord = components['schemas']['DeletedRecord']
export type Import = components['schemas']['Import']
export type ImportCancelledConflict = components['schemas']['ImportCancelledConflict']
export type TooManyImportsConflict = components['schemas']['TooManyImportsConflict']
export type TooManyProgressStreamsConflict = components['schemas']['TooManyProgressStreamsConflict']
export type ImportError = components['schemas']['ImportError']
export type NewOrdersExport = components['schemas']['NewOrdersExport']
export type NewProductsExport = components['schemas']['NewProductsExport']
export type NewContactsExport = components['schemas']['NewContactsExport']
export type Export = components['schemas']['Export']
export type TooManyExportsConflict = components['schemas']['TooManyExportsConflict']
export type ExportNotCompleteConflict = components['schemas']['ExportNotCompleteConflict']
export type Webhook = components['schemas']['Webhook']
export type NewWebhook = components['schemas']['NewWebhook']
export type CreatedWebhook = components['schemas']['CreatedWebhook']
export type WebhookChange = components['schemas']['WebhookChange']
export type ChangedWebhook = components['schemas']['ChangedWebhook']
export type WebhookDisabledConflict = components['schemas']['WebhookDisabledConflict']
export type WebhookDelivery = components['schemas']['WebhookDelivery']
export type WebhookDeliveryDetail = components['schemas']['WebhookDeliveryDetail']
export type WebhookHealth = components['schemas']['WebhookHealth']
export type WebhookRecovery = components['schemas']['WebhookRecovery']
export type WebhookRecoveryPreview = components['schemas']['WebhookRecoveryPreview']
export type RecoveryRunningConflict = components['schemas']['RecoveryRunningConflict']
export type Event = components['schemas']['Event']
export type EventType = components['schemas']['EventType']
export type AppCredential = components['schemas']['AppCredential']
export type AppSetting = components['schemas']['AppSetting']
export type AppResource = components['schemas']['AppResource']
export type AppSkill = components['schemas']['AppSkill']
export type AppView = components['schemas']['AppView']
export type AppKnowledge = components['schemas']['AppKnowledge']
export type AppFlow = components['schemas']['AppFlow']
export type App = components['schemas']['App']
export type AppBreaker = components['schemas']['AppBreaker']
export type AppHealth = components['schemas']['AppHealth']
export type SkillCall = components['schemas']['SkillCall']
export type SkillRequest = components['schemas']['SkillRequest']
export type SkillCallDetail = components['schemas']['SkillCallDetail']
export type NewSkill = components['schemas']['NewSkill']
export type SkillTrial = components['schemas']['SkillTrial']
export type SkillTest = components['schemas']['SkillTest']
export type NewScript = components['schemas']['NewScript']
export type ScriptRun = components['schemas']['ScriptRun']
export type NewManifestDraft = components['schemas']['NewManifestDraft']
export type ManifestProblem = components['schemas']['ManifestProblem']
export type ManifestDraft = components['schemas']['ManifestDraft']
export type TooManyDraftsConflict = components['schemas']['TooManyDraftsConflict']
export type Run = components['schemas']['Run']
export type RunStep = components['schemas']['RunStep']
export type RunDetail = components['schemas']['RunDetail']
export type NotFailedConflict = components['schemas']['NotFailedConflict']
export type EventGoneConflict = components['schemas']['EventGoneConflict']
export type FlowDisabledConflict = components['schemas']['FlowDisabledConflict']
export type ConfigRequiredConflict = components['schemas']['ConfigRequiredConflict']
export type RunOverConflict = components['schemas']['RunOverConflict']
export type Notification = components['schemas']['Notification']
export type OrderCreatedEvent = components['schemas']['OrderCreatedEvent']
export type OrderPaidEvent = components['schemas']['OrderPaidEvent']
export type OrderShippedEvent = components['schemas']['OrderShippedEvent']
export type OrderCancelledEvent = components['schemas']['OrderCancelledEvent']
export type OrderRefundedEvent = components['schemas']['OrderRefundedEvent']
export type OrderStatusChangedEvent = components['schemas']['OrderStatusChangedEvent']
export type ProductCreatedEvent = components['schemas']['ProductCreatedEvent']
export type ProductUpdatedEvent = components['schemas']['ProductUpdatedEvent']
export type MessageReceivedEvent = components['schemas']['MessageReceivedEvent']
export type MessageSentEvent = components['schemas']['MessageSentEvent']
export type MessageFailedEvent = components['schemas']['MessageFailedEvent']
export type ConversationStartedEvent = components['schemas']['ConversationStartedEvent']
