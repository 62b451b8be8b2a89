// Records of apps.

/** The name of a field of records: as every name in a manifest. */
export const FIELD_NAME_CHARS = 63
/** A text in a field of a record: a paragraph, not a document. */
export const RECORD_STRING_CHARS = 4_000
/** Filters on fields of records in one request: each is a condition on every row that is looked at. */
export const RECORD_FILTERS_MAX = 10
/** Records that the assistant is given at once. */
export const RECORDS_FOR_ASSISTANT_MAX = 10
/** Records that are counted to say how many an upgrade would not fit. */
export const RECORDS_COUNTED_MAX = 10_000
