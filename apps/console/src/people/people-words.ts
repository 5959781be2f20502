import type { ResettableFactor } from '@portico/contracts/admin/people'

export const FACTOR_WORDS: Readonly<Record<ResettableFactor, string>> = {
  totp: 'Authenticator app',
  passkeys: 'Passkeys',
  phones: 'Phone numbers',
  email: 'Codes by e-mail',
  questions: 'Security questions',
  'recovery-codes': 'Recovery codes',
}

/** The words of an audit kind or a mail, such as `sign-in-refused` or `passcodeMail`. */
export function kindText(kind: string): string {
  const words = kind
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-._]/g, ' ')
    .toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
