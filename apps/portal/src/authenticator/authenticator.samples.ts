import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './authenticator.flow.ts'

/** What the dialog may begin with. */
export const inputs = [null] as const

/** What the dialog may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'begun', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Figure' },
  { type: 'retried' },
  { type: 'codeGiven', code: '123456' },
  { type: 'confirmed' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
