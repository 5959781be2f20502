import { Refusal } from '@portico/contracts/errors'
import type { AskNode } from '../../chain/chain.ts'

const TIMEOUT_MS = 10_000

/**
 * The node at an address, which may have a path of its own.
 *
 * @throws Refusal - `chain-not-available`
 */
export function nodeAt(url: string): AskNode {
  const base = url.replace(/\/+$/, '')
  return async (path, body) => {
    try {
      const response = await fetch(`${base}${path}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : posted(body)),
      })
      const answer: unknown = await response.json().catch(() => undefined)
      return { status: response.status, answer }
    } catch (cause) {
      throw new Refusal('chain-not-available', { cause })
    }
  }
}

const posted = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
