/** An error that the user can fix; its message says how. */
export class SetupFailure extends Error {}

/**
 * Ends a failed command: a message for errors that the user can fix, the stack trace for defects.
 *
 * @param {unknown} error
 */
export function fail(error) {
  console.error(error instanceof SetupFailure ? `\n${error.message}` : error)
  process.exitCode = 1
}
