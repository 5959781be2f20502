// The parts of oidc-client-ts that the suite uses. Only the suite installs the package.
declare module 'oidc-client-ts' {
  interface Tokens {
    readonly id_token?: string
    readonly access_token: string
    readonly refresh_token?: string
    readonly profile: Readonly<Record<string, unknown>>
  }
  export interface OidcClient {
    createSigninRequest: (request: {
      readonly login_hint: string
    }) => Promise<{ readonly url: string }>
    processSigninResponse: (url: string) => Promise<Tokens>
    useRefreshToken: (request: {
      readonly state: Omit<Tokens, 'access_token'> & { readonly session_state: null }
    }) => Promise<Tokens>
    createSignoutRequest: (request: {
      readonly id_token_hint: string
      readonly state: string
    }) => Promise<{ readonly url: string }>
    processSignoutResponse: (url: string) => Promise<unknown>
  }
  export const InMemoryWebStorage: new () => object
  export const WebStorageStateStore: new (settings: { readonly store: object }) => object
  export const OidcClient: new (settings: {
    readonly authority: string
    readonly client_id: string
    readonly redirect_uri: string
    readonly post_logout_redirect_uri: string
    readonly scope: string
    readonly loadUserInfo: boolean
    readonly stateStore: object
  }) => OidcClient
}
