import type { GroupPolicy } from '@portico/wallet-connect/protocol'
import type { ActiveAccount, Approver } from '@portico/wallet-connect/wallet'
import { connectText, signText, switchToGroupText, transactionText } from './request-text.ts'
import type { Terminal } from './terminal.ts'

/** Describes each request in the terminal and prompts the user for yes or no. */
export function terminalApprover(terminal: Terminal, group: GroupPolicy | null): Approver {
  async function confirm(text: readonly string[], prompt: string, signal: AbortSignal) {
    terminal.say('', ...text)
    return terminal.confirm(prompt, signal)
  }
  return {
    async connect(request, signal) {
      const [account] = request.accounts
      if (account === undefined) return undefined
      const acting: ActiveAccount = { account, group }
      const agreed = await confirm(connectText(request, acting), 'Connect?', signal)
      return agreed ? acting : undefined
    },
    sign: (request, signal) => confirm(signText(request), 'Sign?', signal),
    sendTransaction: (request, signal) => confirm(transactionText(request), 'Send?', signal),
    async switchToGroup(request, signal) {
      const agreed = await confirm(switchToGroupText(request), 'Switch?', signal)
      const { groupAddress: address } = request.request
      if (!agreed) return undefined
      return address === undefined ? null : { address }
    },
    goTo: (url) => terminal.say(`Go back to ${url}`),
  }
}
