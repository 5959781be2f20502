import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** Any schema of the validation library, with what it gives when parsed. */
export type Schema<Output = unknown> = z.ZodMiniType<Output>

/**
 * Who may make a call: anybody; the holder of a session (its token and its cookie); anybody, while a session's cookie is
 * used where there is one; or the holder of a wallet's token (`authorization`) and of a session (§7.4).
 */
export type CallAuth = 'none' | 'session' | 'cookie' | 'wallet'

/**
 * A call of the API, declared once: the server binds it, the client makes it, OpenAPI lists it.
 * `refusals` are the codes this call adds to those that any call may answer.
 */
export interface Call<
  Body extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Answer extends Schema | undefined = Schema | undefined,
  Auth extends CallAuth = CallAuth,
> {
  readonly name: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly auth: Auth
  /** Whether pages of other origins may make it and read its answer. It must not use a cookie then. */
  readonly origins?: 'any'
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Body
  readonly query: Query
  readonly answer: Answer
  readonly refusals: readonly ErrorCode[]
}

/** What a schema gives when parsed; nothing where there is no schema. */
export type Parsed<S extends Schema | undefined> = S extends Schema ? z.output<S> : undefined

/** What a caller writes for a schema. */
export type Written<S extends Schema | undefined> = S extends Schema ? z.input<S> : undefined

/** Declares a call; what is left out is absent. */
export function call<
  const Auth extends CallAuth,
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
>(
  declared: Omit<Call<Body, Query, Answer, Auth>, 'body' | 'query' | 'answer' | 'refusals'> & {
    body?: Body
    query?: Query
    answer?: Answer
    refusals?: readonly ErrorCode[]
  },
): Call<Body, Query, Answer, Auth> {
  return {
    ...declared,
    body: declared.body as Body,
    query: declared.query as Query,
    answer: declared.answer as Answer,
    refusals: declared.refusals ?? [],
  }
}
