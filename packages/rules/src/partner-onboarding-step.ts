/** The state of a borrower's registration, from the verification call (§7.2). */
interface Verification {
  readonly isIdentityRegistered: boolean
  readonly isInquiryWelcomeEmailSent: boolean
  readonly isTokenExpired: boolean
}

/** The step of partner onboarding before a code can be entered (§4.7). */
export type PartnerOnboardingStep = 'goToLogin' | 'sendToken' | 'sendContinueEmail' | 'enterCode'

/**
 * Decides the step of partner onboarding (§4.7): registered borrowers go to login, those who never got the welcome mail get
 * the mail to continue, and those without a valid code get a new one.
 */
export function partnerOnboardingStep(
  { isIdentityRegistered, isInquiryWelcomeEmailSent, isTokenExpired }: Verification,
  loginUuid: string | undefined,
): PartnerOnboardingStep {
  if (isIdentityRegistered) return 'goToLogin'
  if (!isInquiryWelcomeEmailSent) return 'sendContinueEmail'
  return isTokenExpired || loginUuid === undefined ? 'sendToken' : 'enterCode'
}
