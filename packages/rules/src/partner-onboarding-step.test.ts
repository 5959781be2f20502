import { expect, test } from 'vitest'
import { partnerOnboardingStep } from './partner-onboarding-step.ts'

test.each([
  ['registered', 'welcomed', 'expired', 'login', 'goToLogin'],
  ['registered', 'never welcomed', 'expired', 'no login', 'goToLogin'],
  ['registered', 'welcomed', 'live', 'login', 'goToLogin'],
  ['new', 'welcomed', 'expired', 'login', 'sendToken'],
  ['new', 'welcomed', 'expired', 'no login', 'sendToken'],
  ['new', 'welcomed', 'live', 'no login', 'sendToken'],
  ['new', 'welcomed', 'live', 'login', 'enterCode'],
  ['new', 'never welcomed', 'expired', 'no login', 'sendContinueEmail'],
  ['new', 'never welcomed', 'live', 'login', 'sendContinueEmail'],
] as const)(
  '4.7 %s, %s, token %s, %s in the address: %s',
  (identity, welcome, token, login, expected) => {
    const verification = {
      isIdentityRegistered: identity === 'registered',
      isInquiryWelcomeEmailSent: welcome === 'welcomed',
      isTokenExpired: token === 'expired',
    }
    expect(partnerOnboardingStep(verification, login === 'login' ? 'uuid' : undefined)).toBe(
      expected,
    )
  },
)
