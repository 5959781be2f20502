import type { Tone } from '@portico/wallet-kit/outcome-text'
import type { EndReason } from '../connection-state.ts'

/** Why there is no connection, with advice. */
export const ENDINGS: Readonly<
  Record<EndReason, { readonly title: string; readonly tone: Tone; readonly advice: string }>
> = {
  'ended-by-page': {
    tone: 'neutral',
    title: 'Disconnected',
    advice: 'The page ended the connection.',
  },
  'ended-by-wallet': {
    tone: 'neutral',
    title: 'Disconnected',
    advice: 'You ended the connection. The page was notified.',
  },
  expired: {
    tone: 'warn',
    title: 'Connection Expired',
    advice: 'The connection reached the end of its time. Connect again from the page.',
  },
  failed: {
    tone: 'danger',
    title: 'The connection was lost',
    advice:
      'Something went wrong on our side, and nothing was signed. Connect again from the page.',
  },
  rejected: {
    tone: 'neutral',
    title: 'Not connected',
    advice: 'You declined the connection. To try again, connect from the page.',
  },
  unanswered: {
    tone: 'warn',
    title: 'The page did not answer',
    advice: 'Its code may already be used or too old. Connect again from the page.',
  },
  'account-unavailable': {
    tone: 'warn',
    title: 'The page requires another account',
    advice:
      'This wallet does not have the account it asks for. Log in as the owner of that account, or choose another account on the page.',
  },
  'code-unreadable': {
    tone: 'danger',
    title: 'This is not a wallet connection',
    advice: 'The code from the page is not valid. Connect again from the page.',
  },
  'not-connected': {
    tone: 'warn',
    title: 'No longer connected',
    advice: 'The page sent a request, but it is no longer connected. Connect again from the page.',
  },
  'other-relay': {
    tone: 'warn',
    title: 'This page uses another relay',
    advice: 'This wallet cannot connect to it. Use another wallet for this page.',
  },
}
