/** Calls push servers (protocol 3.5), which anyone may register. Calls are not retried and do not delay messages. */
import pLimit from 'p-limit'
import { type OutboundHosts, outboundUrl, postOutbound } from '../http/outbound-post.ts'
import type { CountDrops } from './metrics.ts'

export interface Webhooks {
  /** Whether a webhook with this URL may be called. */
  readonly accepts: (url: string) => boolean
  readonly call: (url: string, topic: string) => void
  /** Aborts calls in progress. */
  readonly close: () => void
}

const MAX_CONCURRENT = 16
const MAX_WAITING = 1000

export function openWebhooks(deps: {
  readonly hosts: OutboundHosts
  readonly countDrops: CountDrops
}): Webhooks {
  const { hosts, countDrops } = deps
  const limitConcurrency = pLimit(MAX_CONCURRENT)
  const closing = new AbortController()

  async function post(url: URL, topic: string): Promise<void> {
    const response = await postOutbound(url, {
      hosts,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ topic }),
      signal: closing.signal,
    })
    if (response === undefined || response.status >= 300) countDrops('webhook')
  }

  return {
    accepts: (url) => outboundUrl(url, hosts) !== undefined,
    call(url, topic) {
      const target = outboundUrl(url, hosts)
      if (target === undefined || closing.signal.aborted) return
      if (limitConcurrency.pendingCount >= MAX_WAITING) return countDrops('webhook')
      void limitConcurrency(post, target, topic)
    },
    close() {
      limitConcurrency.clearQueue()
      closing.abort()
    },
  }
}
