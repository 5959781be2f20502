import type { PageData } from '@portico/contracts/page-data'

/** A recorder of sessions that the lender's own script puts on the page; none is there by itself. */
interface RecordedWindow {
  readonly porticoSessionReplay?: { readonly headers: () => unknown }
}

/** Names a recorder may use: not one of a header that the product or HTTP itself gives a meaning. */
const NAME = /^x-(?:session-replay|replay|recording)(?:-[a-z]{1,32}){0,3}$/
const VALUE = /^[\x20-\x7e]{1,512}$/

/**
 * The session-replay headers of §7.1, read from the recorder at each request. Without one there are none, and neither for
 * a visitor who is not to be counted. What a recorder gives that is no such header, or its failing, changes no request.
 */
export function sessionReplayHeaders(
  window: object,
  { telemetry }: Pick<PageData, 'telemetry'>,
): () => Readonly<Record<string, string>> {
  return () => {
    const { porticoSessionReplay } = window as RecordedWindow // Whatever it holds is checked below.
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
      // The recorder's own trouble.
      return {}
    }
  }
}
