import { ERROR_CATALOGUE, type ErrorCode } from '@portico/contracts/errors'
import { ApiError } from './api-error.ts'
import type { Client } from './client.ts'

/** A client that answers from a table by the calls' names, and keeps what it was asked. */
export function fakeClient(answers: Readonly<Record<string, unknown>> = {}) {
  const asked: { name: string; body?: unknown; headers?: Readonly<Record<string, string>> }[] = []
  const client: Client = async (call, { body, headers }) => {
    asked.push({
      name: call.name,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    })
    const answer = answers[call.name]
    if (answer instanceof Error) throw answer
    return answer as never // The table is the test's own.
  }
  return { client, asked }
}

/** What a call throws that the server refuses. */
export function refusal(code: ErrorCode, headers: Record<string, string> = {}): ApiError {
  const { status, message } = ERROR_CATALOGUE[code]
  const data = { code, message, errors: [message] }
  return new ApiError('refused', message, {
    response: new Response(null, { status, headers }),
    data,
  })
}
