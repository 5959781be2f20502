import { NOTICES, PAGE_MESSAGES } from '@portico/contracts/notices'

/** A failed call as shown to the user; stored by flows, rendered by views. */
export interface Failure {
  /** The alert's messages (§8): each string in the response's errors list, or the error's own message. */
  readonly notices: readonly string[]
  /** What to do about it, if the notices do not say. */
  readonly advice?: string | undefined
  /** The server's error code, or why there was no response. Decisions use it, never the messages. */
  readonly reason?: string | undefined
  /** Set if the user canceled: shown as information instead of an error. */
  readonly isCanceled?: true
}

/** Shown after a defect, without its details. */
export const UNEXPECTED: Failure = { notices: [PAGE_MESSAGES['server-fault']] }

/** Shown if the passkey prompt was canceled or timed out; browsers do not distinguish the two. */
export const PASSKEY_CANCELED: Failure = {
  notices: ['No passkey was used. Try again, or choose another method.'],
  isCanceled: true,
}

/** Shown to the owner of a locked account, only after a correct password or code (§8). */
export const ACCOUNT_LOCKED: Failure = {
  notices: [NOTICES.accountLocked],
  reason: 'account-locked',
}
