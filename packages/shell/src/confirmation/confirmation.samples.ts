import { UNEXPECTED } from '../failure.ts'
import type { Event, Input } from './confirmation.flow.ts'

/** What the confirmation may begin with. */
export const inputs: readonly Input[] = [
  { method: 'password' },
  { method: 'totp' },
  { method: 'passcode' },
  { method: 'passkey' },
]

/** What the confirmation may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'methodChosen', method: 'password' },
  { type: 'methodChosen', method: 'totp' },
  { type: 'methodChosen', method: 'passcode' },
  { type: 'methodChosen', method: 'passkey' },
  { type: 'sendAsked' },
  { type: 'codeSent', loginUuid: 'login' },
  { type: 'given', text: '123456' },
  { type: 'passkeyAsked' },
  { type: 'passkeyLeft' },
  { type: 'confirmed' },
  { type: 'refused', failure: UNEXPECTED },
]
