const MAX_LENGTH = 1024

/**
 * The path of this application to return to after a login; `/` for anything else, such as `//evil.example` or
 * `/\evil.example`, which browsers interpret as another host.
 */
export function safeReturnTo(text: string | null | undefined): string {
  if (!text?.startsWith('/') || text.length > MAX_LENGTH) return '/'
  const own = 'https://own.invalid'
  const url = URL.parse(text, own)
  if (url?.origin !== own) return '/'
  // `/.//evil.example` becomes `//evil.example`.
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.startsWith('//') ? '/' : path
}
