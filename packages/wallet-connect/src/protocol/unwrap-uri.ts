// Links nest: a dynamic link holds a connect link, which holds the URI encoded three times.
const WRAPPINGS_MAXIMUM = 12

// Parameters in which links carry a URI: `data` and `link` of mobile links, `wc` of extension and hosted wallet.
const CARRIERS = ['data', 'link', 'wc', 'uri']

/**
 * Takes a connection URI out of whatever it was handed over in (protocol 2, 14): encoded any number of times, in a
 * link, in a link within a link. Gives the text that begins with `wc:`, which still has to be parsed.
 */
export function unwrapUri(text: string): string | undefined {
  let current = text.trim()
  for (let wrapping = 0; wrapping < WRAPPINGS_MAXIMUM; wrapping += 1) {
    if (current.startsWith('wc:')) return current
    const inner = carriedBy(current) ?? decoded(current)
    if (inner === undefined || inner === current) return undefined
    current = inner.trim()
  }
  return undefined
}

function carriedBy(text: string): string | undefined {
  // Put into a link without any encoding, the URI's own parameters would look like the link's: take all that follows.
  const plain = /[?&](?:data|link|wc|uri)=(wc:.*)$/.exec(text)?.[1]
  if (plain !== undefined) return plain
  if (!URL.canParse(text)) return undefined
  const { searchParams } = new URL(text)
  return (
    CARRIERS.map((name) => searchParams.get(name)).find(
      (value) => value !== null && value !== '',
    ) ?? undefined
  )
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign: no URI was ever encoded like this.
    return undefined
  }
}
