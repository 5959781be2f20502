import { type GroupPolicy, WalletError } from '@portico/wallet-connect/protocol'
import {
  type Approver,
  approvedAccount,
  type SendTransactionRequest,
  type SigningAccount,
  type TxResponse,
} from '@portico/wallet-connect/wallet'
import { connectText, signText, switchToGroupText, transactionText } from './request-text.ts'
import type { Terminal } from './terminal.ts'

/** Describes each request in the terminal, prompts the user for yes or no, and signs with the account's key. */
export function terminalApprover({
  terminal,
  account,
  group,
  issuer,
  broadcast,
}: {
  readonly terminal: Terminal
  readonly account: SigningAccount
  /** The group to act for. */
  readonly group: GroupPolicy | null
  readonly issuer: string
  readonly broadcast: (request: SendTransactionRequest) => Promise<TxResponse>
}): Approver {
  async function confirm(text: readonly string[], question: string, signal: AbortSignal) {
    terminal.say('', ...text)
    if (!(await terminal.confirm(question, signal))) {
      throw new WalletError('rejected', 'The user declined the request.')
    }
  }
  return {
    async connect(request, { signal }) {
      const acting = { account, group }
      await confirm(connectText(request, acting), 'Connect?', signal)
      return approvedAccount(acting, { issuer, lifetimeS: request.tokenLifetimeS })
    },
    async sign(request, { signal, commit }) {
      await confirm(signText(request), 'Sign?', signal)
      commit()
      return account.sign(request.request.bytes)
    },
    async sendTransaction(request, { signal, commit }) {
      await confirm(transactionText(request), 'Send?', signal)
      commit()
      return broadcast(request)
    },
    async switchToGroup(request, { signal, commit }) {
      await confirm(switchToGroupText(request), 'Switch?', signal)
      commit()
      const { groupAddress: address } = request.request
      return approvedAccount(
        { account, group: address === undefined ? null : { address } },
        { issuer, lifetimeS: request.tokenLifetimeS },
      )
    },
    goTo: (url) => terminal.say(`Go back to ${url}`),
  }
}
