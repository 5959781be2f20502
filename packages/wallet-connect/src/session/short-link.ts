import { fieldsIn } from '../protocol/fields.ts'
import type { SessionPorts } from './ports.ts'

// Well inside the 3 s of §4.1, so that a slow service costs a shorter code and never the connection.
const PATIENCE_MS = 1500

/** Shortens a mobile link (§7.4). Where the service fails or is slow, the long link does as well. */
export async function shortLink(
  longDynamicLink: string,
  service: string,
  { fetch, href, log }: Pick<SessionPorts, 'fetch' | 'href' | 'log'>,
): Promise<string> {
  if (service === '') return longDynamicLink
  try {
    const response = await fetch(new URL(service, href()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ longDynamicLink }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    const { shortLink } = fieldsIn(await response.json())
    if (typeof shortLink !== 'string' || !URL.canParse(shortLink))
      throw new Error('it gave no link')
    return shortLink
  } catch (error) {
    log('Failed to fetch short QR code', error)
    return longDynamicLink
  }
}
