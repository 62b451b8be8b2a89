// Bodies of requests: their size, their shape, and the errors told of them.

/** The most bytes of a body. */
export const JSON_BODY_BYTES = 1024 * 1024
export const BULK_BODY_BYTES = 4 * JSON_BODY_BYTES
/** Chunks of a JSON body: each costs a microsecond or two, however small. The longest body then has 64 bytes a chunk on average. */
export const BODY_PIECES_MAX = 64 * 1024

/** Deeper JSON is refused: no resource nests further, and deep trees are how parsers are attacked. */
export const JSON_DEPTH = 32
/** Values of one body or row, whatever its length: the fullest order holds 5 900, and 350 000 fit in a megabyte … */
export const JSON_VALUES_MAX = 10_000
/** … and of a bulk request: 50 of the fullest products hold 94 000. Reading so many takes a tenth of a second. */
export const BULK_VALUES_MAX = 10 * JSON_VALUES_MAX
/** Values of one list or object within a body or row: none needs more than 100, and an object with as many names as a bulk request may have
    values takes a third of a second to parse and check. */
export const JSON_BREADTH = 5_000
/** A longer body is parsed in parts: this one takes five milliseconds, or fifteen if it is made to. */
export const JSON_SLICE_BYTES = 256 * 1024
/** The work of a request in one go: a body that takes longer to check lets other requests run in between. */
export const EVENT_LOOP_SLICE_MS = 4
/** The public JSON that one statement writes: with all its processing about 5 ms of the event loop. More JSON takes several statements. */
export const STATEMENT_CHARS = 256 * 1024
/** Errors told for one request. More would bury the first ones. */
export const ERRORS_MAX = 100
/** Characters of an error's field: longer than any path of the interface, but no megabyte. An answer with 100 errors stays near 100 KB. */
export const FIELD_CHARS = 120
