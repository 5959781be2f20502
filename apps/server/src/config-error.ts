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
    super('configuration', `Portico cannot start. Please mend:\n${told.join('\n')}`)
    this.faults = faults
  }
}
