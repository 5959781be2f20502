import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import {
  approveRequest,
  askApproval,
  lockHostedWallet,
  readHostedAccounts,
  rejectRequest,
  renameHostedAccount,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import { createHostedAccount } from '@portico/contracts/wallet'
import type { KeyKeeper } from '../key-keeper.ts'

/** The hosted wallet's keeper: the server makes the keys, keeps them, and signs what the signed-in person approves. */
export function hostedKeeper({ client }: { readonly client: Client }): KeyKeeper {
  return {
    accounts: () => client(readHostedAccounts, {}),
    async make({ name, words }) {
      await (words === undefined
        ? client(createHostedAccount, { body: { name } })
        : client(restoreHostedAccount, { body: { name, words } }))
    },
    rename: (account) => client(renameHostedAccount, { body: account }),
    // The server holds the lock: whatever a page or a script does, it shows nothing and signs nothing meanwhile.
    lock: () => client(lockHostedWallet, {}),
    ask: (request) => client(askApproval, { body: request }),
    approve: (approvalId) => client(approveRequest, { body: { approvalId } }),
    async reject(approvalId) {
      await client(rejectRequest, { body: { approvalId } }).catch((error: unknown) => {
        // Nobody can approve it any more, which is all that was wanted.
        if (!(error instanceof ApiError) || error.reason !== 'approval-over') throw error
      })
    },
  }
}
