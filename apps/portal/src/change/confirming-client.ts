import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'

/** Error codes after which the same call succeeds once the user has confirmed their identity. */
const CONFIRMABLE = ['confirmation-needed', 'sign-in-too-old']

/**
 * A client for account changes. If the server requires a confirmation, the user is asked to confirm and the call is repeated.
 * If the user does not confirm, the server's error is thrown.
 */
export function confirmingClient(client: Client, confirm: () => Promise<boolean>): Client {
  return async (call, input) => {
    try {
      return await client(call, input)
    } catch (error) {
      if (!isConfirmable(error) || !(await confirm())) throw error
      return client(call, input)
    }
  }
}

function isConfirmable(error: unknown): boolean {
  return (
    error instanceof ApiError && error.reason !== undefined && CONFIRMABLE.includes(error.reason)
  )
}
