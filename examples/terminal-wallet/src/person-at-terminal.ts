import type { GroupPolicy } from '@portico/wallet-connect/protocol'
import type { Acting, Person } from '@portico/wallet-connect/wallet'
import { connectInWords, signInWords, switchInWords, transactionInWords } from './in-words.ts'
import type { Terminal } from './terminal.ts'

/** The person who sits at the terminal: sees what is asked in words, and says yes or no to each. */
export function personAtTerminal(terminal: Terminal, group: GroupPolicy | null): Person {
  async function confirm(words: readonly string[], question: string, signal: AbortSignal) {
    terminal.say('', ...words)
    return terminal.confirm(question, signal)
  }
  return {
    async connect(question, signal) {
      const [account] = question.accounts
      if (account === undefined) return undefined
      const acting: Acting = { account, group }
      const agreed = await confirm(connectInWords(question, acting), 'Connect?', signal)
      return agreed ? acting : undefined
    },
    sign: (question, signal) => confirm(signInWords(question), 'Sign?', signal),
    sendTransaction: (question, signal) => confirm(transactionInWords(question), 'Send?', signal),
    async switchToGroup(question, signal) {
      const agreed = await confirm(switchInWords(question), 'Switch?', signal)
      const { groupAddress: address } = question.asked
      if (!agreed) return undefined
      return address === undefined ? null : { address }
    },
    goTo: (url) => terminal.say(`Go back to ${url}`),
  }
}
