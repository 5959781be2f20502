/** What the audit calls an event, and what its owner reads. */
const WORDS: Readonly<Record<string, string>> = {
  'account-chosen': 'An account to act as was chosen',
  'approval-asked': 'A page asked your hosted wallet for something',
  'approval-given': 'You approved a request of a page',
  'approval-rejected': 'You rejected a request of a page',
  'confirmation-refused': 'A confirmation failed',
  'confirmation-sent': 'A code to confirm a change was sent',
  confirmed: 'You confirmed that it is you',
  'email-factor-off': 'Codes by email were turned off',
  'email-factor-on': 'Codes by email were turned on',
  'hosted-account-made': 'A hosted account was made',
  'hosted-account-restored': 'A hosted account was restored from its words',
  'hosted-wallet-locked': 'Your hosted wallet was locked',
  'new-device': 'A new device signed in',
  'passcode-refused': 'A passcode was refused',
  'passcode-sent': 'A passcode was sent',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'password-set': 'The password was set',
  'phone-added': 'A phone was added',
  'phone-removed': 'A phone was removed',
  'questions-set': 'Recovery questions were chosen',
  'recovery-codes-made': 'Recovery codes were made',
  registered: 'The account was created',
  'registration-begun': 'A registration was begun',
  'second-factor-asked': 'A second step was asked for',
  'second-factor-refused': 'A second step failed',
  'second-factor-sent': 'A code for the second step was sent',
  'sessions-ended': 'Sessions were ended',
  'sign-in-locked': 'A sign-in to the locked account was refused',
  'sign-in-refused': 'A sign-in failed',
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'totp-added': 'An authenticator app was set up',
  'totp-removed': 'The authenticator app was removed',
  'wallet-attached': 'A wallet was attached',
  'wallet-converted': 'An old wallet was converted',
}

/** A security event in words; one that this page does not know yet by the audit's own name. */
export function eventWords(kind: string): string {
  return Object.hasOwn(WORDS, kind) ? (WORDS[kind] ?? kind) : kind.replaceAll('-', ' ')
}
