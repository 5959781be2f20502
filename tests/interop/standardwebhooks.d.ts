// What standardwebhooks 1.1.1 exports and this suite uses; only this suite installs it.
declare module 'standardwebhooks' {
  export class WebhookVerificationError extends Error {}

  export class Webhook {
    constructor(secret: string)
    verify(payload: string, headers: Record<string, string>): unknown
  }
}
