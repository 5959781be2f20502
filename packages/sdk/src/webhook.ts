import { Webhook } from 'standardwebhooks'
import { PorticoError } from './error.ts'
import { headerOf, type RequestHeaders } from './request-headers.ts'

/** An event, as docs/webhooks.md lists them. */
export interface WebhookEvent {
  /** Its `webhook-id`. An event may arrive twice: ignore an ID that you have stored. */
  readonly id: string
  /** For example `session.started`. Later versions of Portico may add types: ignore unknown ones. */
  readonly type: string
  /** When it happened, as an ISO 8601 time. Events may arrive out of order. */
  readonly timestamp: string
  readonly data: {
    readonly organization: string
    /** The `sub` of the user's tokens. */
    readonly identityId?: string
    readonly [detail: string]: unknown
  }
}

const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/**
 * Verifies a webhook from Portico: its signature, and that it was sent within the last five minutes.
 *
 * @param secret - `whsec_…`, as in Portico's `WEBHOOK_SECRET_…`
 * @param request.body - the raw bytes received, before any parsing
 * @throws PorticoError - `invalid-webhook`. Respond with 400.
 */
export function verifyWebhook(
  secret: string,
  request: { readonly headers: RequestHeaders; readonly body: string | Uint8Array },
): WebhookEvent {
  const { headers, body } = request
  const signed = Object.fromEntries(
    SIGNED_HEADERS.map((name) => [name, headerOf(headers, name) ?? '']),
  )
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    const event = new Webhook(secret).verify(text, signed) as Omit<WebhookEvent, 'id'>
    return { ...event, id: signed['webhook-id'] ?? '' }
  } catch (cause) {
    throw new PorticoError(
      'invalid-webhook',
      'The webhook is not valid. Is the secret that of Portico, and the body what arrived, unparsed?',
      { cause },
    )
  }
}
