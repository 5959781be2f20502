import type { AccountAccess, AccountListItem } from '@portico/contracts/wallet'
import type { Accounts } from '../accounts.ts'
import type { Event, Outcome } from './wallet-card.flow.ts'

const outcome: Outcome = { tone: 'ok', title: 'Signed' }

/** An organization the wallet can act for. */
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

/** The session acting as that organization. */
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

/** Accounts without a selection. */
export const known: Accounts = { items: [larch], acting: undefined }

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'accountsRead', accounts: known },
  { type: 'accountsNotRead', outcome },
  { type: 'operationRequested', operation: { kind: 'connect' } },
  { type: 'operationRequested', operation: { kind: 'sign-message', text: 'I agree' } },
  { type: 'operationRequested', operation: { kind: 'sign-token' } },
  { type: 'operationRequested', operation: { kind: 'switch-group', group: 'tp1larch' } },
  {
    type: 'operationRequested',
    operation: { kind: 'send', recipient: 'tp1rose', amount: '1', memo: '' },
  },
  {
    type: 'transactionAccepted',
    payment: { transaction: 'A1', from: 'tp1olga', to: 'tp1other', amount: '5' },
  },
  { type: 'operationRequested', operation: { kind: 'disconnect' } },
  { type: 'withdrawalRequested' },
  { type: 'withdrawalRefused', notice: 'Not now' },
  { type: 'operationEnded', outcome },
  { type: 'operationEnded', outcome, acting: larchAccess },
  { type: 'disconnected', outcome },
]
