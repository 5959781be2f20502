// The parts of oidc-provider that the demonstration uses; the package has no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** Stores what the provider needs between requests. */
  export interface Adapter {
    upsert: (id: string, payload: Record<string, unknown>, expiresInS?: number) => Promise<void>
    find: (id: string) => Promise<Record<string, unknown> | undefined>
    findByUid: (uid: string) => Promise<Record<string, unknown> | undefined>
    findByUserCode: (code: string) => Promise<Record<string, unknown> | undefined>
    consume: (id: string) => Promise<void>
    destroy: (id: string) => Promise<void>
    revokeByGrantId: (grantId: string) => Promise<void>
  }

  export interface Context {
    body: string
    type: string
    readonly oidc: {
      readonly client?: { readonly clientId: string }
      readonly session?: { readonly accountId?: string }
      readonly params?: Readonly<Record<string, string | undefined>>
    }
  }

  interface Grant {
    addOIDCScope: (scope: string) => void
    save: () => Promise<string>
  }

  export interface InteractionDetails {
    readonly uid: string
    readonly params: Readonly<Record<string, string | undefined>>
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    proxy: boolean
    on: (event: 'server_error', listener: (context: Context, error: unknown) => void) => void
    readonly Grant: new (grant: {
      accountId: string
      clientId: string
    }) => Grant
    callback: () => (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails: (
      request: IncomingMessage,
      response: ServerResponse,
    ) => Promise<InteractionDetails>
    interactionFinished: (
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
      options: { readonly mergeWithLastSubmission: false },
    ) => Promise<void>
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
      get: (prompt: 'login') => { readonly checks: { add: (check: Check) => void } }
    }
    function base(): Policy
  }
}
