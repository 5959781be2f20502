// The parts of oidc-provider that the server uses; the package has no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Payload = Record<string, unknown>

  /** Stores what the provider needs between requests. */
  export interface Adapter {
    upsert: (id: string, payload: Payload, expiresInS?: number) => Promise<void>
    find: (id: string) => Promise<Payload | undefined>
    findByUid: (uid: string) => Promise<Payload | undefined>
    findByUserCode: (code: string) => Promise<Payload | undefined>
    consume: (id: string) => Promise<void>
    destroy: (id: string) => Promise<void>
    revokeByGrantId: (grantId: string) => Promise<void>
  }

  export interface Session {
    readonly uid: string
    readonly accountId?: string
    readonly new?: boolean
    readonly grantIdFor: (clientId: string, grantId?: string) => string | undefined
    readonly sidFor: (clientId: string, sid?: string) => string | undefined
  }

  export interface Client {
    readonly clientId: string
    readonly redirectUris: readonly string[]
    readonly clientAuthMethod: string
    readonly clientSecret?: string
    readonly grantTypeAllowed: (grantType: string) => boolean
    readonly postLogoutRedirectUriAllowed: (uri: string) => boolean
    /** Posts a logout token to the client. Rejects unless the client confirms. */
    readonly backchannelLogout: (sub: string, sid: string) => Promise<void>
  }

  /** A token that names the session that it ends with. */
  interface SessionToken {
    readonly sessionUid?: string
    readonly clientId?: string
  }

  export interface RefreshToken extends SessionToken {
    /** The token itself. */
    readonly jti: string
    /** When it was used, in seconds. */
    consumed?: number | undefined
    consume: () => Promise<void>
    /** Returns the value of a token that has none yet. */
    generateTokenId: () => string
  }

  export interface Context {
    body: string | Payload
    type: string
    status: number
    readonly req: IncomingMessage
    readonly res: ServerResponse
    readonly set: (headers: Readonly<Record<string, string>>) => void
    readonly cookies: { get: (name: string, options?: unknown) => string | undefined }
    readonly oidc: {
      readonly route: string
      readonly client?: Client
      readonly session?: Session
      readonly params?: Readonly<Record<string, string | undefined>>
      readonly result?: { readonly login?: unknown }
      readonly entities: {
        readonly RefreshToken?: SessionToken
        /** The token that a refresh has used. */
        readonly RotatedRefreshToken?: RefreshToken
      }
      readonly entity: (kind: 'Session', entity: Session) => void
    }
  }

  interface Grant {
    readonly jti: string
    addOIDCScope: (scope: string) => void
    save: () => Promise<string>
  }

  export interface Interaction {
    readonly uid: string
    readonly params: Readonly<Record<string, string | undefined>>
    readonly returnTo: string
    /** The same in all interactions of one authorization request. */
    cid: string
    result?: InteractionResult
    persist: () => Promise<string>
  }

  interface Login {
    readonly accountId: string
    /** When the user proved their identity, in seconds. */
    readonly ts?: number
    readonly acr?: string
    readonly amr?: readonly string[]
  }

  export type InteractionResult =
    | { readonly login: Login; readonly consent?: Readonly<Record<string, never>> }
    | { readonly error: string; readonly error_description: string }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    /** The context of the request that this code runs for. */
    static readonly ctx: Context | undefined
    readonly issuer: string
    proxy: boolean
    on: ((event: 'server_error', listener: (context: Context, error: unknown) => void) => void) &
      ((event: 'grant.success', listener: (context: Context) => void) => void) &
      ((
        event:
          | 'authorization.error'
          | 'grant.error'
          | 'introspection.error'
          | 'pushed_authorization_request.error'
          | 'revocation.error'
          | 'userinfo.error',
        // The request may have failed before its parameters were read.
        listener: (
          context: Partial<Context>,
          error: {
            readonly error: string
            readonly error_description?: string
            /** For the log, not part of the response. */
            readonly error_detail?: string
          },
        ) => void,
      ) => void)
    use: (middleware: (context: Context, next: () => Promise<void>) => Promise<void>) => void
    readonly Interaction: { readonly find: (id: string) => Promise<Interaction | undefined> }
    readonly Grant: {
      new (grant: { accountId: string; clientId: string }): Grant
      readonly find: (id: string) => Promise<Grant | undefined>
    }
    readonly Session: {
      new (payload?: Payload): Session
      get: (context: Context) => Promise<Session>
    }
    readonly Client: {
      readonly find: (id: string) => Promise<Client | undefined>
      readonly prototype: {
        compareClientSecret: (actual: string) => boolean
        /** Whether ID tokens of the client contain `sid`. */
        includeSid: () => boolean
      }
    }
    readonly RefreshToken: {
      find: (
        value: string,
        options?: Readonly<Record<string, unknown>>,
      ) => Promise<RefreshToken | undefined>
      readonly prototype: RefreshToken
    }
    readonly IdToken: {
      /** Verifies an ID token of this client, which may have expired. */
      readonly validate: (
        jwt: string,
        client: Client,
      ) => Promise<{ readonly payload: { readonly sub?: unknown; readonly sid?: unknown } }>
    }
    callback: () => (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails: (request: IncomingMessage, response: ServerResponse) => Promise<Interaction>
    interactionFinished: (
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options: { readonly mergeWithLastSubmission: false },
    ) => Promise<void>
  }

  export namespace errors {
    class InvalidGrant extends Error {
      constructor(description: string)
    }
    class InvalidRequest extends Error {
      constructor(description: string)
    }
    class InvalidRequestUri extends Error {
      constructor(description: string)
    }
    class SessionNotFound extends Error {}
  }

  export namespace interactionPolicy {
    class Check {
      static readonly REQUEST_PROMPT: unknown
      static readonly NO_NEED_TO_PROMPT: unknown
      constructor(
        reason: string,
        description: string,
        error: string,
        check: (context: Context) => unknown,
      )
    }
    interface Policy {
      get: (prompt: 'login' | 'consent') => {
        readonly checks: {
          add: (check: Check) => void
          remove: (reason: string) => void
          clear: () => void
        }
      }
    }
    function base(): Policy
  }
}
