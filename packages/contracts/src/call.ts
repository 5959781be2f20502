import * as z from 'zod/mini'
import type { Permission } from './admin/permissions.ts'
import type { ErrorCode } from './errors.ts'

/** Any schema, by its parsed output. */
export type Schema<Output = unknown> = z.ZodMiniType<Output>

/** A body or response sent as bytes instead of JSON. */
export const Bytes = /* @__PURE__ */ z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/**
 * Who may make a call. `none`: anyone. `session`: a client with a session's token and cookie. `cookie`: anyone, and a
 * session's cookie is used if there is one. `wallet`: a client with a wallet's token (`authorization`) and a session (§7.4).
 * `operator`: an operator with the call's permission, by a session or a service token.
 */
export type CallAuth = 'none' | 'session' | 'cookie' | 'wallet' | 'operator'

/**
 * An API call, declared once: the server binds it, the client makes it, OpenAPI lists it. `refusals` are the error
 * codes it adds to those that any call may return.
 */
export interface Call<
  Body extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Answer extends Schema | undefined = Schema | undefined,
  Auth extends CallAuth = CallAuth,
  Accepted extends Schema | undefined = Schema | undefined,
> {
  readonly name: string
  readonly summary: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly auth: Auth
  /** The permission that an operator needs; set for each call with `auth: 'operator'`. */
  readonly permission?: Permission
  /** Set if the operator must have confirmed with a passkey or authenticator app within the last minutes. */
  readonly stepUp?: true
  /**
   * Whether an operator who views a person's pages may make the call in that session. By default GET calls are allowed and
   * all others are refused.
   */
  readonly impersonation?: 'allowed' | 'refused'
  /** Set if pages of other origins may make the call and read its response. Such a call must not use a cookie. */
  readonly origins?: 'any'
  readonly headers?: Readonly<Record<string, string>>
  /** The maximum body size in bytes, if not the default. */
  readonly bodyBytesMaximum?: number
  readonly body: Body
  readonly query: Query
  readonly answer: Answer
  /** The 202 response, if the call may respond before its work is done. */
  readonly accepted: Accepted
  readonly refusals: readonly ErrorCode[]
}

/** The parsed output of a schema, or undefined without one. */
export type Parsed<S extends Schema | undefined> = S extends Schema ? z.output<S> : undefined

/** What a caller gets: the response, or the 202 response. */
export type AnswerOf<C extends Call> =
  | Parsed<C['answer']>
  | (C['accepted'] extends Schema ? Parsed<C['accepted']> : never)

/** The input that a caller passes for a schema. */
export type Input<S extends Schema | undefined> = S extends Schema ? z.input<S> : undefined

/** A call with its permission, if it has one, in its type. */
type PermittedCall<C extends Call, Permitted> = Permitted extends Permission
  ? C & { readonly permission: Permitted }
  : C

/** Declares a call; omitted schemas become undefined. The bundler drops the calls that an application does not make. */
// @__NO_SIDE_EFFECTS__
export function call<
  const Auth extends CallAuth,
  Body extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
  Accepted extends Schema | undefined = undefined,
  const Permitted extends Permission | undefined = undefined,
>(
  declaration: Omit<
    Call<Body, Query, Answer, Auth, Accepted>,
    'body' | 'query' | 'answer' | 'accepted' | 'refusals' | 'permission'
  > & {
    body?: Body
    query?: Query
    answer?: Answer
    accepted?: Accepted
    refusals?: readonly ErrorCode[]
    permission?: Permitted
  },
): PermittedCall<Call<Body, Query, Answer, Auth, Accepted>, Permitted> {
  const declared = {
    ...declaration,
    body: declaration.body as Body,
    query: declaration.query as Query,
    answer: declaration.answer as Answer,
    accepted: declaration.accepted as Accepted,
    refusals: declaration.refusals ?? [],
  }
  // An absent permission stays absent.
  return declared as PermittedCall<Call<Body, Query, Answer, Auth, Accepted>, Permitted>
}
