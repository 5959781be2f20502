import { PorticoError } from '@portico/contracts/errors'

/** The database did not do its work: the connection was lost or silent, a time limit passed, or there is no room left. */
export class DatabaseUnavailable extends PorticoError<'database-unavailable'> {
  constructor(cause: unknown) {
    const { message = '' } = cause as { message?: string }
    super('database-unavailable', `The database is not available: ${message}`, { cause })
  }
}
