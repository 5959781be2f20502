import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'

/** Refusals after which the same call succeeds once the person has confirmed. */
const CONFIRMABLE = ['confirmation-needed', 'sign-in-too-old']

/**
 * A client for changes of the account. Where the server wants a confirmation the person is asked for one, and the call
 * is then repeated by itself; who does not confirm is told what the server said.
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
