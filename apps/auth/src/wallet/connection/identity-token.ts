import type { Environment } from '../../environment.ts'

/** Keeps a new identity token as 'Bearer {jwt}' and tells the page's other scripts of it (§7.4). */
export function keepIdentityToken(
  { jwt, identityTokenUpdated }: Pick<Environment, 'identityTokenUpdated' | 'jwt'>,
  token: string,
): void {
  jwt.keep(token)
  identityTokenUpdated()
}
