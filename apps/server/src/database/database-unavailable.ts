import { PorticoError } from '@portico/contracts/errors'

/** The database is unavailable: the connection was lost or silent, a timeout passed, or the disk is full. */
export class DatabaseUnavailable extends PorticoError<'database-unavailable'> {
  constructor(cause: unknown) {
    const { message = '' } = cause as { message?: string }
    super('database-unavailable', `The database is not available: ${message}`, { cause })
  }
}
