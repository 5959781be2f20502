import type { ResettableFactor } from '@portico/contracts/admin/people'

export const FACTOR_WORDS: Readonly<Record<ResettableFactor, string>> = {
  totp: 'Authenticator app',
  passkeys: 'Passkeys',
  phones: 'Phone numbers',
  email: 'Codes by e-mail',
  questions: 'Security questions',
  'recovery-codes': 'Recovery codes',
}
