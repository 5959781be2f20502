import type { Call, Input, Parsed, Schema } from '@portico/contracts/call'
import { ApiError } from './api-error.ts'
import { type HttpOptions, http } from './http.ts'

/** What a call needs: its body and query where it declares them; a query without a required parameter may be left out. */
export type CallInput<C extends Call> = (C['body'] extends Schema
  ? { readonly body: Input<C['body']> }
  : { readonly body?: undefined }) &
  (C['query'] extends Schema
    ? // oxlint-disable-next-line typescript/no-generated-empty-object-type -- What a query without parameters is.
      Record<never, never> extends Input<C['query']>
      ? { readonly query?: Input<C['query']> }
      : { readonly query: Input<C['query']> }
    : { readonly query?: undefined }) & {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    readonly keepalive?: boolean
  }

/** Makes declared calls and gives their parsed answers. */
export type Client = <C extends Call>(call: C, input: CallInput<C>) => Promise<Parsed<C['answer']>>

/**
 * The typed client made from the contracts.
 *
 * @throws ApiError - refused, unreachable, timed out, or an answer that breaks the contract (`unreadable`)
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
      expect: call.answer === undefined ? 'nothing' : 'json',
    })
    if (call.answer === undefined) return undefined as Parsed<C['answer']>
    const parsed = call.answer.safeParse(answer)
    if (parsed.success) return parsed.data as Parsed<C['answer']>
    throw new ApiError('unreadable', `The answer of ${call.name} breaks its contract`, {
      cause: parsed.error,
    })
  }
}
