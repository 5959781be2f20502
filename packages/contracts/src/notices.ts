/** Texts that pages show themselves. Apart from the error catalog, so that the login page does not load all of it. */

/** Texts of §8 that pages show without a server error. */
export const NOTICES = {
  accountLocked: 'Your account is locked. Please contact support.',
  codeResent: 'Code successfully resent.',
  organizationMissing: 'No private label data found',
  fetchFailed: 'Error fetching',
  noRecoveryMethods:
    'You do not have any two-factor recovery methods configured. Please contact customer support for assistance.',
  userNotFound: 'User not found',
  selectWalletFromList: 'Please select wallet from list to continue',
  accountsNotRetrieved:
    'Error Retrieving Accounts. Please try refreshing the browser or contact support for continued issues.',
  walletNotSelected: 'Error selecting wallet',
  accountNotSelected: 'Error selecting account',
  notAxios: 'Non-Axios Error Occurred',
  accountNotSubmitted: 'Error submitting New Account',
  sessionNotEstablished: 'Could not establish session.',
  sessionRetriesFailed: 'An error occurred while establishing a session, retries failed.',
} as const

/** The sentences of the error catalog that pages show without an answer of the server. */
export const PAGE_MESSAGES = {
  'too-many-requests':
    "You're submitting requests too quickly; please give us a minute to process your last one.",
  'server-fault': 'Something went wrong on our side. Please try again in a minute.',
  'session-ended': 'Your session has ended. Please log in again.',
  'first-factor-expired': 'First factor is expired, please start a new login.',
  'provider-not-available':
    "Your organization's login cannot be reached. Please try again in a minute.",
  'bot-check-failed':
    'We could not confirm that you are a person. Please reload the page and try again.',
} as const
