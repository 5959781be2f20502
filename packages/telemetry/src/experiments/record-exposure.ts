import { EXPOSURE_PATH, type ExperimentKey } from '@portico/contracts/experiment-keys'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'

/** What of a browser this uses. */
interface Ports {
  readonly fetch: typeof globalThis.fetch
  readonly navigator: object
}

/**
 * Says that the visitor now sees what an experiment decided (§7.8), and waits for nothing. The server counts a visitor
 * once, finds out by itself what was decided, and counts nobody who refuses to be tracked; so a page may say it as often
 * as it likes, and whatever goes wrong is no concern of the visitor's.
 *
 * @example
 * if (page.decisions['partner-simplified-onboarding']) { … }
 * recordExposure('partner-simplified-onboarding', page.organization.orgCode) // whichever way it was decided
 */
export function recordExposure(
  experimentKey: ExperimentKey,
  organization: string,
  { fetch, navigator }: Ports = globalThis,
): void {
  if ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true) return
  try {
    fetch(EXPOSURE_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [ORGANIZATION_HEADER]: organization },
      body: JSON.stringify({ experimentKey }),
      // The page may be left for the next one at once; what it is about has been seen all the same.
      keepalive: true,
      priority: 'low',
    }).catch(() => undefined)
  } catch {
    // A browser that cannot ask, or may not: one visitor fewer is counted.
  }
}
