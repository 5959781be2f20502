/** What keeps a command from going on and the user can mend; its text says how. */
export class SetupFailure extends Error {}

/**
 * Ends a command that failed: plain words for what the user can mend, the whole trace for a defect.
 *
 * @param {unknown} error
 */
export function fail(error) {
  console.error(error instanceof SetupFailure ? `\n${error.message}` : error)
  process.exitCode = 1
}
