/** What an operator can mend: a setting, an argument, the database. Its message is the one line they see; the process exits with 1. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
