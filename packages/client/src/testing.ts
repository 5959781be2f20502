import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { ErrorCode } from '@portico/contracts/errors'
import { ApiError } from './api-error.ts'
import type { Client } from './client.ts'

/** A client that responds from a table of call names, and records its calls in `calls`. */
export function fakeClient(answers: Readonly<Record<string, unknown>> = {}) {
  const calls: { name: string; body?: unknown; headers?: Readonly<Record<string, string>> }[] = []
  const client: Client = async (call, { body, headers }) => {
    calls.push({
      name: call.name,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    })
    const answer = answers[call.name]
    if (answer instanceof Error) throw answer
    return answer as never // The test provides the table.
  }
  return { client, calls }
}

/** The error of a call that the server rejects. */
export function refusal(code: ErrorCode, headers: Record<string, string> = {}): ApiError {
  const { status, message } = ERROR_CATALOG[code]
  const data = { code, message, errors: [message] }
  return new ApiError('refused', message, {
    response: new Response(null, { status, headers }),
    data,
  })
}
