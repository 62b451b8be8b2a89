/** An error that an operator can fix: in a setting, an argument, the database. Its message is the one line shown; the process exits with 1. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
