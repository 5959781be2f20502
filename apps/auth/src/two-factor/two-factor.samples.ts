import type { SecondFactor, SecondFactors } from '@portico/rules/second-factor'
import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './two-factor.flow.ts'

const EMAIL: SecondFactor = { kind: 'email', alias: 'e', value: 'a•••@example.com' }
const TOTP: SecondFactor = { kind: 'totp' }
const RECOVERY_CODE: SecondFactor = { kind: 'recoveryCode' }

const begin = (factors: SecondFactors): Input => ({ loginUuid: 'login', factors, at: 0 })

export const inputs: readonly Input[] = [
  begin({ methods: [EMAIL], additional: [], offersRecovery: false }),
  begin({ methods: [TOTP], additional: [RECOVERY_CODE], offersRecovery: true }),
  begin({ methods: [EMAIL, TOTP], additional: [], offersRecovery: false }),
  {
    ...begin({ methods: [EMAIL, TOTP], additional: [], offersRecovery: false }),
    position: { step: 'entering', method: 'e', sentAt: { e: 0 } },
  },
]

export const events: readonly Event[] = [
  { type: 'methodChosen', method: EMAIL, at: 0 },
  { type: 'methodChosen', method: TOTP, at: 0 },
  { type: 'methodChosen', method: RECOVERY_CODE, at: 0 },
  { type: 'codeSent', again: false },
  { type: 'codeSent', again: true },
  { type: 'sendRefused', failure: UNEXPECTED },
  { type: 'resendRequested', at: 0 },
  { type: 'cooldownEnded' },
  { type: 'codeSubmitted', code: '123456', remember: false },
  { type: 'passkeyRequested', remember: false },
  { type: 'passkeyCanceled' },
  { type: 'forgotten' },
  { type: 'questionsRead', questions: [{ uuid: 'q', question: 'First pet?' }], random: 0 },
  { type: 'questionsRead', questions: [], random: 0 },
  { type: 'answerSubmitted', answer: 'Rex' },
  { type: 'redeemed', jwt: 'jwt' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'refused', failure: { notices: ['Expired'], reason: 'first-factor-expired' } },
  { type: 'back', at: 0 },
  { type: 'closed' },
  { type: 'serviceFailed' },
]
