import { tracedFetch, traceHeaders } from '../tracing/tracing.ts'
import type { Mail } from './transport.ts'

const TIMEOUT_MS = 10_000

export interface TextTransport {
  readonly send: (message: Pick<Mail, 'to' | 'text'>) => Promise<void>
}

/**
 * A gateway over HTTP. It receives JSON with the number and the text, and responds with success once it has accepted
 * them.
 */
export function httpTextTransport(url: string): TextTransport {
  return {
    async send({ to, text }) {
      const response = await tracedFetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...traceHeaders() },
        body: JSON.stringify({ to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The text gateway responded with ${response.status}`)
    },
  }
}
