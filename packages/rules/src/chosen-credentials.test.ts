import type { AuthorizationType } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { chosenCredentials } from './chosen-credentials.ts'

test.each([
  ['Owner', { walletAddress: 'tp1wallet' }],
  ['RBAC', { walletAddress: 'tp1wallet' }],
  ['Shared', { walletAddress: 'tp1wallet' }],
  ['Group', { walletAddress: 'tp1wallet', groupPolicyAddress: 'tp1account' }],
] as const satisfies readonly (readonly [AuthorizationType, object])[])(
  '6 only for Group do the credentials also carry the group policy address: %s',
  (authorizationType, credentials) => {
    const wallet = { address: 'tp1wallet', name: 'Olga', type: 'FIGURE', verified: true } as const
    const account = { name: 'Birch', address: 'tp1account' }
    expect(chosenCredentials({ account, wallet: { ...wallet, authorizationType } })).toEqual(
      credentials,
    )
  },
)
