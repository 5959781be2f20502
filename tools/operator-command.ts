import { resolve } from 'node:path'
import { ConfigError } from '@portico/server/config-error'
import { DatabaseUnavailable } from '@portico/server/database-unavailable'

/**
 * Runs an operator's command. What the operator can fix, and a database that is unavailable, end it with one message and
 * exit code 1.
 *
 * @param outcome - how the message begins, like 'Nothing was changed'
 */
export async function operatorCommand(outcome: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof ConfigError) {
      console.error([`${outcome}. Fix the following:`, ...error.errors].join('\n  - '))
    } else if (error instanceof DatabaseUnavailable) {
      console.error(`${error.message}. Run the command again when it is available.`)
    } else throw error
    process.exitCode = 1
  }
}

/** Resolves a path against the caller's folder, because npm runs commands in the repository's root. */
export function resolveFromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? '', path)
}
