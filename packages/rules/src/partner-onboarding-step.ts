/** How far a borrower's registration has come, as the verification tells it (§7.2). */
interface Verification {
  readonly isIdentityRegistered: boolean
  readonly isInquiryWelcomeEmailSent: boolean
  readonly isTokenExpired: boolean
}

/** What partner onboarding does for a borrower before a code can be entered (§4.7). */
export type PartnerOnboardingStep = 'goToLogin' | 'sendToken' | 'sendContinueEmail' | 'enterCode'

/**
 * Decides what partner onboarding does (§4.7): who is registered goes to the login; who was never welcomed is mailed how to
 * continue; who was, and has no login whose code still counts, is sent a new one.
 */
export function partnerOnboardingStep(
  { isIdentityRegistered, isInquiryWelcomeEmailSent, isTokenExpired }: Verification,
  loginUuid: string | undefined,
): PartnerOnboardingStep {
  if (isIdentityRegistered) return 'goToLogin'
  if (!isInquiryWelcomeEmailSent) return 'sendContinueEmail'
  return isTokenExpired || loginUuid === undefined ? 'sendToken' : 'enterCode'
}
