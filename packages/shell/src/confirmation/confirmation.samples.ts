import { UNEXPECTED } from '../failure.ts'
import type { Event, Input } from './confirmation.flow.ts'

export const inputs: readonly Input[] = [
  { method: 'password' },
  { method: 'totp' },
  { method: 'passcode' },
  { method: 'passkey' },
]

export const events: readonly Event[] = [
  { type: 'methodChosen', method: 'password' },
  { type: 'methodChosen', method: 'totp' },
  { type: 'methodChosen', method: 'passcode' },
  { type: 'methodChosen', method: 'passkey' },
  { type: 'codeRequested' },
  { type: 'codeSent', loginUuid: 'login' },
  { type: 'proofSubmitted', text: '123456' },
  { type: 'passkeyRequested' },
  { type: 'passkeyCanceled' },
  { type: 'confirmed' },
  { type: 'refused', failure: UNEXPECTED },
]
