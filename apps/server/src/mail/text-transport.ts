import type { Mail } from './transport.ts'

/** How long the gateway may take to answer. */
const TIMEOUT_MS = 10_000

/** Hands text messages to a gateway. */
export interface TextTransport {
  readonly send: (message: Pick<Mail, 'to' | 'text'>) => Promise<void>
}

/** A gateway over HTTP: takes JSON with the number and the text, and answers with success when it has taken it. */
export function httpTextTransport(url: string): TextTransport {
  return {
    async send({ to, text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The text gateway answered ${response.status}`)
    },
  }
}
