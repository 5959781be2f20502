import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './authenticator.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'begun', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Figure' },
  { type: 'retried' },
  { type: 'codeSubmitted', code: '123456' },
  { type: 'confirmed' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
