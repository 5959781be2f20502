import { emailAddress } from '@portico/contracts/email-address'

/**
 * The `email` parameter of a page's query; an empty string if there is none. A link may contain an unencoded `+`, which means
 * a space in a query. No address contains a space, so `ada loans@example.com` is `ada+loans@example.com`.
 */
export function emailParameter(query: URLSearchParams): string {
  const given = query.get('email') ?? ''
  const restored = given.trim().replaceAll(' ', '+')
  return emailAddress(given) === undefined && emailAddress(restored) !== undefined
    ? restored
    : given
}
