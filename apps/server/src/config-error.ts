import { PorticoError } from '@portico/contracts/errors'

/** The maximum number of errors listed. A bug in a script that wrote ten thousand files shows in the first few. */
const MAX_LISTED_ERRORS = 200

/** Thrown when the configuration or a data file is invalid; each error says what is wrong and how to fix it. */
export class ConfigError extends PorticoError<'configuration'> {
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    const lines = errors.slice(0, MAX_LISTED_ERRORS).map((error) => `  - ${error}`)
    const more = errors.length - lines.length
    if (more > 0) lines.push(`  - and ${more} more`)
    super('configuration', `Portico cannot start. Fix the following:\n${lines.join('\n')}`)
    this.errors = errors
  }
}

/** An error for a data folder, or a file in it, that cannot be read or written. */
export function unusableDataDir(reason: string): ConfigError {
  return new ConfigError([
    `DATA_DIR cannot be used: ${reason}. The user that runs Portico needs a writable folder on a disk with free space`,
  ])
}
