import { Refusal } from '@portico/contracts/errors'
import type { ChainNode } from './chain.ts'

const TIMEOUT_MS = 10_000

/**
 * Calls the REST interface of a node at a URL, which may include a path.
 *
 * @throws Refusal - `chain-not-available`, `chain-timeout`
 */
export function httpChainNode(url: string): ChainNode {
  const base = url.replace(/\/+$/, '')
  return async (path, body) => {
    try {
      const response = await fetch(`${base}${path}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : postRequest(body)),
      })
      const content: unknown = await response.json().catch(ignoreInvalidJson)
      return { status: response.status, content }
    } catch (cause) {
      const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError'
      throw new Refusal(isTimeout ? 'chain-timeout' : 'chain-not-available', { cause })
    }
  }
}

/** An error page counts as no content. A truncated or endless response is a network failure. */
function ignoreInvalidJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

const postRequest = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
