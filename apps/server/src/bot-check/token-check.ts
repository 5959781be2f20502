import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { tracedFetch } from '../tracing/tracing.ts'
import type { BotCheck } from './check.ts'

const SERVICES = {
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const

const TIMEOUT_MS = 5000
/** reCAPTCHA v3 scores from 0 (bot) to 1 (human); Google recommends 0.5. */
const MIN_SCORE = 0.5

const Answer = z.object({ success: z.boolean(), score: z.optional(z.number()) })

/** reCAPTCHA and Turnstile: both verify a page's token at an HTTP endpoint with the same interface. */
export function tokenCheck(service: {
  readonly kind: keyof typeof SERVICES
  readonly siteKey: string
  readonly secret: string
  readonly url: string | undefined
  readonly log: Logger
}): BotCheck {
  return {
    page: { kind: service.kind, siteKey: service.siteKey },
    async verify(token, network) {
      if (token === undefined || token.length > 4096) return false
      const form = new URLSearchParams({ secret: service.secret, response: token })
      // The services do not accept an IPv6 /64 as an address.
      if (!network.includes('/')) form.set('remoteip', network)
      try {
        const response = await tracedFetch(service.url ?? SERVICES[service.kind], {
          method: 'POST',
          body: form,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        const answer = Answer.parse(await response.json())
        return answer.success && (answer.score ?? 1) >= MIN_SCORE
      } catch (error) {
        service.log.error({ err: error, service: service.kind }, 'bot check service failed')
        return false
      }
    },
  }
}
