// Links nest: a dynamic link contains a connect link, which contains the URI encoded three times.
const WRAPPINGS_MAXIMUM = 12

// Query parameters that carry a URI: `data` and `link` in mobile links, `wc` for the extension and hosted wallet.
const URI_PARAMETERS = ['data', 'link', 'wc', 'uri']

/**
 * Extracts a connection URI (protocol 2, 14) that may be encoded any number of times, in a
 * link, or in a link within a link. Returns the text that begins with `wc:`, which still has to be parsed.
 */
export function unwrapUri(text: string): string | undefined {
  let current = text.trim()
  for (let wrapping = 0; wrapping < WRAPPINGS_MAXIMUM; wrapping += 1) {
    if (current.startsWith('wc:')) return current
    const inner = linkParameter(current) ?? decoded(current)
    if (inner === undefined || inner === current) return undefined
    current = inner.trim()
  }
  return undefined
}

function linkParameter(text: string): string | undefined {
  // In a link without encoding, the URI's own parameters look like the link's, so take everything that follows.
  const plain = /[?&](?:data|link|wc|uri)=(wc:.*)$/.exec(text)?.[1]
  if (plain !== undefined) return plain
  if (!URL.canParse(text)) return undefined
  const { searchParams } = new URL(text)
  return (
    URI_PARAMETERS.map((name) => searchParams.get(name)).find(
      (value) => value !== null && value !== '',
    ) ?? undefined
  )
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign: not a percent-encoded URI.
    return undefined
  }
}
