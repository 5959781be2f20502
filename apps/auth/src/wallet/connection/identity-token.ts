import type { Environment } from '../../environment.ts'

/** Stores a new identity token as 'Bearer {jwt}' and notifies the page's other scripts (§7.4). */
export function storeIdentityToken(
  { jwt, identityTokenUpdated }: Pick<Environment, 'identityTokenUpdated' | 'jwt'>,
  token: string,
): void {
  jwt.write(token)
  identityTokenUpdated()
}
