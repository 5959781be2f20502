/**
 * The error catalog: every code, its HTTP status, and the sentence shown to the user (§5 and §8, verbatim). Code throws
 * codes; the edge turns them into text. Match on codes, never on text.
 */

import { PAGE_MESSAGES } from './notices.ts'

interface CatalogEntry {
  readonly status: number
  readonly message: string
}

export const ERROR_CATALOG = {
  'invalid-request': { status: 400, message: 'The request is not valid.' },
  'wrong-credentials': { status: 400, message: 'The email or password is incorrect.' },
  'wrong-password': { status: 400, message: 'The password is incorrect.' },
  'code-wrong': {
    status: 400,
    message: 'The passcode is incorrect. Please check it and try again.',
  },
  'code-superseded': {
    status: 400,
    message: 'We sent you a newer code. Please enter the latest one.',
  },
  'code-of-other-page': {
    status: 400,
    message: 'You requested this code on another page. Please request a new one here.',
  },
  'code-expired': { status: 400, message: 'The passcode has expired. Please request a new one.' },
  'code-used': {
    status: 400,
    message: 'This code has already been used. Please use another one.',
  },
  'answer-wrong': { status: 400, message: 'The answer is incorrect. Please try again.' },
  'too-many-wrong-codes': {
    status: 400,
    message: 'Too many wrong codes. Please choose another method, or use the link we emailed you.',
  },
  'first-factor-expired': { status: 400, message: PAGE_MESSAGES['first-factor-expired'] },
  'method-not-available': {
    status: 400,
    message: 'This method is not set up for your account. Please choose another one.',
  },
  'account-managed': {
    status: 403,
    message: 'Your organization manages how you log in. Ask its administrator to change this.',
  },
  'factor-too-new': {
    status: 403,
    message:
      'This is too new to confirm with. Choose another way, for example a code by email or something that you set up earlier.',
  },
  'passkey-refused': {
    status: 400,
    message: 'The passkey could not be verified. Please try again or choose another method.',
  },
  'breached-password': {
    status: 400,
    message: 'This password is known from a data breach. Please choose another one.',
  },
  'email-unchanged': {
    status: 400,
    message: 'Please enter an address that differs from your current one.',
  },
  'email-not-yours': {
    status: 400,
    message: 'Please enter the email address of this account.',
  },
  'email-mismatch': {
    status: 400,
    message: 'This is not the email address of the account.',
  },
  'hosted-wallets-remain': {
    status: 409,
    message: 'Please confirm that the keys of your hosted wallets may be deleted too.',
  },
  'password-unchanged': {
    status: 400,
    message: 'Please choose a password that differs from your current one.',
  },
  'too-many-factors': {
    status: 400,
    message: 'You cannot add another one. Please remove one you no longer use first.',
  },
  'texts-not-available': {
    status: 400,
    message: 'We cannot send text messages. Please choose another method.',
  },
  'phone-invalid': { status: 400, message: 'Please enter a valid phone number.' },
  'questions-unsuitable': {
    status: 400,
    message:
      'Please choose three different questions, and give each a different answer of at least three characters.',
  },
  'bot-check-failed': { status: 400, message: PAGE_MESSAGES['bot-check-failed'] },
  'weak-password': { status: 400, message: 'Please enter a stronger password.' },
  'missing-addr-claim': { status: 400, message: 'jwt is missing addr claim' },
  'account-name-required': { status: 400, message: 'Account name is required' },
  'account-name-used': {
    status: 409,
    message: 'You already have an account with this name. Please choose another one.',
  },
  'organization-members-invalid': {
    status: 400,
    message: 'The organization cannot have these members.',
  },
  'account-not-chosen': { status: 400, message: 'Please choose an account first.' },
  'too-many-accounts': {
    status: 400,
    message: 'You cannot add another account. Please contact support.',
  },
  'passport-type-not-possible': {
    status: 400,
    message: 'The account that you act as cannot have a passport of this type.',
  },
  'passport-incomplete': {
    status: 400,
    message: 'Some answers are missing or not valid. Please complete them and submit again.',
  },
  'file-incomplete': {
    status: 409,
    message: 'The upload is not complete. Please continue it.',
  },
  'file-part-misplaced': {
    status: 409,
    message: 'This part of the file was not expected. Please continue the upload.',
  },
  'file-part-damaged': {
    status: 400,
    message: 'A part of the file was damaged in transit. Please continue the upload.',
  },
  'file-damaged': {
    status: 400,
    message: 'This file is damaged or incomplete. Please add another copy of it.',
  },
  'file-has-active-content': {
    status: 400,
    message:
      'This PDF contains scripts, forms that send data, or other files. Please print it to a new PDF and add that one.',
  },
  'file-has-password': {
    status: 400,
    message: 'This PDF is protected by a password. Please add a copy without one.',
  },
  'image-too-large': {
    status: 400,
    message: 'This picture has too many pixels. Please add a smaller copy of it.',
  },
  'too-many-files': {
    status: 400,
    message:
      'You cannot add this file: a passport has at most 20 files and 100 MB. Please remove one first.',
  },
  'too-many-members': {
    status: 400,
    message: 'You cannot invite another member. Please remove one first.',
  },
  'provider-address-refused': {
    status: 400,
    message: 'This address cannot be used. Please enter a public https address without a port.',
  },
  'metadata-unusable': { status: 400, message: 'The metadata cannot be used.' },
  'setup-incomplete': {
    status: 400,
    message: 'Please verify a domain and pass the test with the current settings first.',
  },
  'too-many-domains': {
    status: 400,
    message: 'You cannot add another domain. Please remove one first.',
  },
  'wallet-not-convertible': { status: 400, message: 'This wallet cannot be converted.' },
  'recovery-words-invalid': {
    status: 400,
    message: 'These are not valid recovery words. Please check each word and their order.',
  },
  'message-unreadable': {
    status: 400,
    message: 'The request could not be decoded, so it cannot be shown or signed.',
  },
  'message-is-transaction': {
    status: 400,
    message:
      'This message is an encoded transaction, so it was not signed. Ask the site to send it as a transaction.',
  },
  'message-for-other-site': {
    status: 400,
    message: 'This message signs in to another site than the one that asks, so it was not signed.',
  },
  'transaction-refused': {
    status: 400,
    message: 'The network did not accept the transaction.',
  },
  'insufficient-funds': {
    status: 400,
    message: 'The account does not have enough funds for the amount and the fee.',
  },
  'group-funds-insufficient': {
    status: 400,
    message: 'The group does not have enough funds for this.',
  },
  'fee-too-low': {
    status: 400,
    message: 'The network did not accept the transaction because its fee is too low.',
  },
  'voting-ended': { status: 400, message: 'Voting on this proposal has ended.' },
  'faucet-limit': { status: 429, message: 'Test funds are paid to an account once an hour.' },
  'already-voted': { status: 400, message: 'This account has already voted on this proposal.' },
  'proposal-over': {
    status: 400,
    message: 'This proposal is over: it was carried out, or the network has deleted it.',
  },
  'message-not-supported': {
    status: 400,
    message: 'This network does not support this kind of message.',
  },
  'not-a-member': {
    status: 403,
    message: 'This account is no longer a member of the group.',
  },
  'sequence-mismatch': {
    status: 409,
    message: 'Another transaction from this account went through first.',
  },
  'session-ended': { status: 401, message: PAGE_MESSAGES['session-ended'] },
  unauthenticated: { status: 403, message: 'Unauthenticated' },
  'confirmation-needed': {
    status: 403,
    message: "Please confirm it's you before you change this.",
  },
  'experiment-running': {
    status: 409,
    message: 'A run of this experiment has not ended. End it before you start another one.',
  },
  'experiment-ended': { status: 409, message: 'This run has already ended.' },
  'impersonation-read-only': {
    status: 403,
    message: 'You are viewing this account as an operator. Only its owner can do this.',
  },
  'impersonation-not-possible': {
    status: 409,
    message:
      'This account cannot be viewed, because it is locked or its organization ended its access.',
  },
  'not-permitted': { status: 403, message: 'Your roles do not allow this.' },
  'second-factor-missing': {
    status: 403,
    message: 'Please confirm with a passkey or an authenticator app to continue.',
  },
  'operator-idle': {
    status: 403,
    message: "You were away for a while. Please confirm it's you to continue.",
  },
  'service-token-refused': {
    status: 401,
    message: 'This service token is unknown, has expired or was revoked.',
  },
  'idempotency-key-reused': {
    status: 409,
    message: 'This idempotency key was used for another request.',
  },
  'idempotency-pending': {
    status: 409,
    message:
      'The first request with this idempotency key has not finished, or its outcome is unknown. Read what changed before you use a new key.',
  },
  'too-many-tokens': {
    status: 409,
    message:
      'Two tokens with this name and these organizations are valid. Please revoke one of them first.',
  },
  'no-such-account': {
    status: 404,
    message:
      'No account of the organizations you administer has this address. The person must register there first.',
  },
  'own-request': {
    status: 403,
    message: 'You requested this yourself. Another operator has to decide.',
  },
  'already-requested': {
    status: 409,
    message:
      'This was already requested, and another operator has to approve it. Open Approvals to see the request.',
  },
  'request-ended': {
    status: 409,
    message: 'This request is no longer waiting. Please reload it to see its result.',
  },
  'last-administrator': {
    status: 409,
    message:
      'This is the last administrator of all organizations. Please appoint another one first.',
  },
  'foreign-origin': { status: 403, message: 'The request did not come from this site.' },
  'sign-in-too-old': {
    status: 403,
    message: "Please confirm it's you, or log in again, before you set a password.",
  },
  'wallet-token-refused': {
    status: 403,
    message: 'The wallet could not be verified. Please connect it again.',
  },
  'signed-nonce-refused': {
    status: 403,
    message: 'The signature of the wallet could not be verified. Please try again.',
  },
  'wallet-not-verified': { status: 403, message: 'Wallet Verification Required' },
  'wallet-type-not-supported': { status: 403, message: 'Wallet type is no longer supported' },
  'account-not-authorized': { status: 403, message: 'You may not act for this account.' },
  'tracking-refused': { status: 403, message: 'This visitor is not tracked.' },
  'user-type-refused': {
    status: 403,
    message: 'This account cannot be used here. Please log in with another one.',
  },
  'setup-link-refused': {
    status: 403,
    message:
      'This link cannot be used. It was opened in another browser, has expired, or is for another organization. Please ask for a new one.',
  },
  'setup-ended': {
    status: 403,
    message:
      'Your time to set up the login has ended, or you are in another browser. Everything you saved is kept. Please ask for a new link.',
  },
  'not-found': { status: 404, message: 'There is nothing at this address.' },
  'method-not-allowed': { status: 405, message: 'This address does not support that method.' },
  'request-too-slow': { status: 408, message: 'The request took too long to arrive.' },
  'telemetry-session-unknown': {
    status: 409,
    message: 'Unknown telemetry session. Start a new one.',
  },
  'wallet-already-attached': {
    status: 409,
    message: 'Provided wallet is already attached to an identity',
  },
  'passphrase-wrong': {
    status: 403,
    message: 'This is not the passphrase of this wallet.',
  },
  'too-many-attempts': {
    status: 429,
    message: 'Too many wrong passphrases.',
  },
  'passphrase-too-short': {
    status: 400,
    message: 'Please enter a passphrase of at least 10 characters.',
  },
  'vault-missing': { status: 404, message: 'There is no wallet on this device.' },
  'vault-exists': {
    status: 409,
    message: 'This device already has a wallet. Remove it before you create another one.',
  },
  'vault-damaged': {
    status: 409,
    message: 'The wallet stored on this device is damaged and cannot be opened.',
  },
  'vault-from-newer-version': {
    status: 409,
    message: 'A newer version of the wallet was used on this device. This version cannot open it.',
  },
  'storage-unavailable': {
    status: 409,
    message: 'This browser does not let the wallet store its data, or the storage is full.',
  },
  'passkey-unsupported': {
    status: 400,
    message: 'A passkey of this browser or device cannot unlock your wallet.',
  },
  'wallet-locked': {
    status: 403,
    message: "Your wallet is locked. Please confirm it's you.",
  },
  'approval-unproven': {
    status: 403,
    message: "Please confirm it's you before you approve this.",
  },
  'approval-over': {
    status: 409,
    message: 'This request was already answered or has expired. Please start it again.',
  },
  'passport-section-closed': {
    status: 409,
    message: 'These answers were submitted. To change them, choose Edit first.',
  },
  'passport-section-open': {
    status: 409,
    message: 'These answers can already be edited.',
  },
  'passport-changed': {
    status: 409,
    message: 'Some answers were changed on another device. Please check them and submit again.',
  },
  'edit-outdated': {
    status: 409,
    message:
      'Someone has changed this since you opened it. Nothing was changed. Please load it again.',
  },
  'review-outdated': {
    status: 409,
    message: 'These answers have changed since you opened them. Nothing was decided.',
  },
  'email-not-verified': {
    status: 403,
    message: 'Please confirm your email address with a code that we send to it.',
  },
  'already-member': {
    status: 409,
    message: 'This person is already a member.',
  },
  'organization-pending': {
    status: 409,
    message: 'The network has not confirmed this organization yet. Please try again in a minute.',
  },
  'setup-changed': {
    status: 409,
    message:
      'Another administrator changed this setup. Your last change was not saved. Please check the current values and try again.',
  },
  'domain-taken': {
    status: 409,
    message:
      'Another organization has verified this domain. Please contact support if it is yours.',
  },
  'file-too-large': {
    status: 413,
    message: 'This file is too large. Please add one of at most 20 MB.',
  },
  'file-type-refused': {
    status: 415,
    message: 'This file cannot be added. Please add a PDF, JPEG or PNG file.',
  },
  'request-too-large': { status: 413, message: 'The request is too large.' },
  'unsupported-media-type': { status: 415, message: 'Send the request as application/json.' },
  'too-many-requests': { status: 429, message: PAGE_MESSAGES['too-many-requests'] },
  'server-fault': { status: 500, message: PAGE_MESSAGES['server-fault'] },
  'chain-not-available': {
    status: 503,
    message: 'The network cannot be reached. Please try again in a minute.',
  },
  'files-not-available': {
    status: 503,
    message: 'We cannot store or read files at the moment. Please try again in a few minutes.',
  },
  'provider-not-available': { status: 503, message: PAGE_MESSAGES['provider-not-available'] },
  'application-not-available': {
    status: 502,
    message: 'This page is not available at the moment. Please try again in a minute.',
  },
  'chain-timeout': { status: 504, message: 'The network took too long to respond.' },
  'chain-faulty': { status: 502, message: 'The network sent an unusable response.' },
  'transaction-unconfirmed': {
    status: 503,
    message: 'It is not known yet whether the network carried out the transaction.',
  },
  busy: {
    status: 503,
    message: 'Many people are logging in at the moment. Please try again in a few seconds.',
  },
  'not-ready': { status: 503, message: 'The service is not ready. Please try again in a minute.' },
} as const satisfies Record<string, CatalogEntry>

/** The sentences of a refusal: its own, or the one of its code. */
export function sentencesOf({
  code,
  errors,
}: {
  code: keyof typeof ERROR_CATALOG
  errors: readonly string[]
}): readonly string[] {
  return errors.length > 0 ? errors : [ERROR_CATALOG[code].message]
}
