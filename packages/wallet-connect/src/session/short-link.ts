import { fieldsIn } from '../protocol/fields.ts'
import type { SessionPorts } from './ports.ts'

// Well within the 3 s of §4.1, so that a slow service only means a denser QR code and never a failed connection.
const TIMEOUT_MS = 1500

/** Shortens a mobile link (§7.4). If the service fails or is slow, the long link is used. */
export async function shortLink(
  longDynamicLink: string,
  service: string,
  { fetch, href, log }: Pick<SessionPorts, 'fetch' | 'href' | 'log'>,
): Promise<string> {
  if (service === '') return longDynamicLink
  try {
    const response = await fetch(new URL(service, href()), {
      method: 'POST',
      // Without a content type, so that a page of another origin needs no preflight.
      body: JSON.stringify({ longDynamicLink }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { shortLink } = fieldsIn(await response.json())
    if (typeof shortLink !== 'string' || !URL.canParse(shortLink))
      throw new Error('the response contains no link')
    return shortLink
  } catch (error) {
    log('Failed to fetch short QR code', error)
    return longDynamicLink
  }
}
