import type { PageData } from '@portico/contracts/page-data'

/** A session recorder that the lender's own script may install on the page. */
interface RecordedWindow {
  readonly porticoSessionReplay?: { readonly headers: () => unknown }
}

/** Header names a recorder may set, so it cannot override headers that the product or HTTP uses. */
const NAME = /^x-(?:session-replay|replay|recording)(?:-[a-z]{1,32}){0,3}$/
const VALUE = /^[\x20-\x7e]{1,512}$/

/**
 * The session-replay headers of §7.1, read from the recorder for each request. Empty without a recorder and for visitors
 * who must not be tracked. Invalid headers and errors of the recorder are ignored.
 */
export function sessionReplayHeaders(
  window: object,
  { telemetry }: Pick<PageData, 'telemetry'>,
): () => Readonly<Record<string, string>> {
  return () => {
    const { porticoSessionReplay } = window as RecordedWindow // Validated below.
    if (telemetry === null || porticoSessionReplay === undefined) return {}
    try {
      const headers = Object.entries(porticoSessionReplay.headers() ?? {})
      return Object.fromEntries(
        headers.filter(
          (header): header is [string, string] =>
            NAME.test(header[0]) && typeof header[1] === 'string' && VALUE.test(header[1]),
        ),
      )
    } catch {
      // An error in the recorder must not fail the request.
      return {}
    }
  }
}
