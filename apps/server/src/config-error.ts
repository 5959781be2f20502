import { PorticoError } from '@portico/contracts/errors'

/** So many faults are told at once; a slip in a script that wrote ten thousand files is seen in the first of them. */
const FAULTS_TOLD = 200

/** Thrown when the environment cannot be used; `faults` names each variable and what to do about it. */
export class ConfigError extends PorticoError<'configuration'> {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const told = faults.slice(0, FAULTS_TOLD).map((fault) => `  - ${fault}`)
    const more = faults.length - told.length
    if (more > 0) told.push(`  - and ${more} more`)
    super('configuration', `Portico cannot start. Fix the following:\n${told.join('\n')}`)
    this.faults = faults
  }
}

/** The data folder, or a file in it, cannot be read or written. */
export function unusableDataDir(reason: string): ConfigError {
  return new ConfigError([
    `DATA_DIR cannot be used: ${reason}. Portico's user needs a folder that it can write to, on a disk with room left`,
  ])
}
