import { type AnswerOf, Bytes, type Call, type Input, type Schema } from '@portico/contracts/call'
import { ApiError } from './api-error.ts'
import { type HttpOptions, http } from './http.ts'

/** A call's body and query, if it declares them; a query without required parameters is optional. */
export type CallInput<C extends Call> = (C['body'] extends Schema
  ? { readonly body: Input<C['body']> }
  : { readonly body?: undefined }) &
  (C['query'] extends Schema
    ? // oxlint-disable-next-line typescript/no-generated-empty-object-type -- The type of a query without parameters.
      Record<never, never> extends Input<C['query']>
      ? { readonly query?: Input<C['query']> }
      : { readonly query: Input<C['query']> }
    : { readonly query?: undefined }) & {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    readonly keepalive?: boolean
  }

/** Makes declared calls and returns their parsed responses. */
export type Client = <C extends Call>(call: C, input: CallInput<C>) => Promise<AnswerOf<C>>

/**
 * Creates the typed client of the contracts.
 *
 * @throws ApiError - refused, unreachable, timed out, or a response that violates the contract (`unreadable`)
 * @example
 * const { uuid } = await client(sendToken, { body: { email } })
 */
export function client(options: HttpOptions): Client {
  const send = http(options)
  return async <C extends Call>(call: C, input: CallInput<C>) => {
    const answer = await send(call.path, {
      method: call.method,
      headers: input.headers,
      body: input.body,
      params: input.query ?? {},
      signal: input.signal,
      keepalive: input.keepalive,
      expect: expectedOf(call),
    })
    if (call.answer === undefined) return undefined as AnswerOf<C>
    const accepted = call.accepted?.safeParse(answer)
    if (accepted?.success) return accepted.data as AnswerOf<C>
    const parsed = call.answer.safeParse(answer)
    if (parsed.success) return parsed.data as AnswerOf<C>
    throw new ApiError('unreadable', `The response of ${call.name} violates its contract`, {
      cause: parsed.error,
    })
  }
}

function expectedOf({ answer }: Call): 'nothing' | 'bytes' | 'json' {
  if (answer === undefined) return 'nothing'
  return answer === Bytes ? 'bytes' : 'json'
}
