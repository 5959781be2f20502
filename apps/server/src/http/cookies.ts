/**
 * Over https, cookies have the `__Host-` prefix, so that subdomains and plain http pages cannot set them. A duplicate
 * name indicates tampering and counts as absent.
 */

/** A session cookie, unverified. */
export type SessionCookie =
  | { readonly kind: 'own'; readonly value: string }
  /** Of a viewing session; `own` is the operator's own session cookie. */
  | { readonly kind: 'viewing'; readonly value: string; readonly own: string | undefined }

/** Whether the browser uses https: according to `PUBLIC_URL` if set, because a proxy may terminate TLS. */
export function usesHttps(
  publicUrl: string | undefined,
  { protocol }: { readonly protocol: string },
): boolean {
  return publicUrl === undefined ? protocol === 'https' : publicUrl.startsWith('https:')
}

export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** Formats a `set-cookie` header. Without `maxAgeS` it is a session cookie; 0 removes it. */
export function writeCookie(
  name: string,
  value: string,
  options: { readonly secure: boolean; readonly maxAgeS?: number },
): string {
  return [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(options.secure ? ['Secure'] : []),
    ...(options.maxAgeS === undefined ? [] : [`Max-Age=${options.maxAgeS}`]),
  ].join('; ')
}
