import type { AccountAccess, AccountListItem } from '@portico/contracts/wallet'
import type { Accounts, Event, Outcome } from './wallet-card.flow.ts'

const outcome: Outcome = { tone: 'ok', title: 'Signed' }

/** An organization that the wallet may act for. */
export const larch: AccountListItem = {
  account: { name: 'Larch Partners', address: 'tp1larch' },
  authorizedWallets: [
    {
      address: 'tp1olga',
      name: 'Olga',
      type: 'FIGURE',
      authorizationType: 'Group',
      verified: true,
    },
  ],
}

/** That organization as what the session acts as. */
export const larchAccess: AccountAccess = {
  account: larch.account,
  authorizedWallet: {
    address: 'tp1olga',
    name: 'Olga',
    type: 'FIGURE',
    authorizationType: 'Group',
    verified: true,
  },
}

/** What the card knows where nothing was chosen yet. */
export const known: Accounts = { items: [larch], acting: undefined }

/** What the card may begin with. */
export const inputs = [null] as const

/** What the card may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'accountsRead', accounts: known },
  { type: 'accountsNotRead', outcome },
  { type: 'asked', operation: { kind: 'connect' } },
  { type: 'asked', operation: { kind: 'sign-message', hex: '00' } },
  { type: 'asked', operation: { kind: 'sign-token' } },
  { type: 'asked', operation: { kind: 'switch-group', group: 'tp1larch' } },
  { type: 'asked', operation: { kind: 'disconnect' } },
  { type: 'withdrawAsked' },
  { type: 'ended', outcome },
  { type: 'ended', outcome, acting: larchAccess },
  { type: 'disconnected', outcome },
]
