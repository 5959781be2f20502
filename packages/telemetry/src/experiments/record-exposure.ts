import { EXPOSURE_PATH, type ExperimentKey } from '@portico/contracts/experiment-keys'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'

interface BrowserApi {
  readonly fetch: typeof globalThis.fetch
  readonly navigator: object
}

/**
 * Records that the visitor saw an experiment's variant (§7.8), without waiting for the response. The server counts each
 * visitor once, knows the variant, and ignores visitors who opted out of tracking, so a page may call this repeatedly.
 * Errors are ignored.
 *
 * @example
 * if (page.decisions['partner-simplified-onboarding']) { … }
 * recordExposure('partner-simplified-onboarding', page.organization.orgCode) // for either variant
 */
export function recordExposure(
  experimentKey: ExperimentKey,
  organization: string,
  { fetch, navigator }: BrowserApi = globalThis,
): void {
  if ('globalPrivacyControl' in navigator && navigator.globalPrivacyControl === true) return
  try {
    fetch(EXPOSURE_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [ORGANIZATION_HEADER]: organization },
      body: JSON.stringify({ experimentKey }),
      // The page may navigate at once, but the exposure still counts.
      keepalive: true,
      priority: 'low',
    }).catch(() => undefined)
  } catch {
    // The browser does not support or allow the request: this visitor is not counted.
  }
}
