import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import {
  approveRequest,
  lockHostedWallet,
  readHostedAccounts,
  rejectRequest,
  renameHostedAccount,
  requestApproval,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import { createHostedAccount } from '@portico/contracts/wallet'
import type { KeyKeeper } from '@portico/wallet-kit/key-keeper'

/** The hosted wallet's key keeper: the server creates and stores the keys, and signs what the signed-in user approves. */
export function hostedKeyKeeper({ client }: { readonly client: Client }): KeyKeeper {
  return {
    accounts: () => client(readHostedAccounts, {}),
    async create({ name, words }) {
      await (words === undefined
        ? client(createHostedAccount, { body: { name } })
        : client(restoreHostedAccount, { body: { name, words } }))
    },
    rename: (account) => client(renameHostedAccount, { body: account }),
    // The lock is on the server: while it is locked no page or script can read accounts or sign.
    lock: () => client(lockHostedWallet, {}),
    requestApproval: (request, { audience }) =>
      client(requestApproval, {
        body: audience === undefined ? request : { ...request, pageOrigin: audience },
      }),
    approve: (approvalId) => client(approveRequest, { body: { approvalId } }),
    async reject(approvalId) {
      await client(rejectRequest, { body: { approvalId } }).catch((error: unknown) => {
        // The approval can no longer be given, which is the purpose of rejecting it.
        if (!(error instanceof ApiError) || error.reason !== 'approval-over') throw error
      })
    },
  }
}
