/**
 * Our cookies. Over https they carry the `__Host-` prefix, which no sub-domain and no plain-http page can set. A name
 * that arrives twice has been tampered with and counts as absent.
 */

/** A cookie's name where the origin is secure or not. */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

/** The value of a request's cookie. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

/** A `set-cookie` header. Without `maxAgeS` the cookie goes with the browser; 0 removes it. */
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
