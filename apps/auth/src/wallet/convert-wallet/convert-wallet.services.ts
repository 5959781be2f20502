import { convertWallet } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../../environment.ts'
import type { Command, Event } from './convert-wallet.flow.ts'

export interface ConvertWalletDeps extends Pick<Environment, 'client' | 'navigate'> {
  readonly walletAddress: string
  /** The page the user came from. */
  readonly to: string
}

export function convertWalletServices({
  client,
  navigate,
  walletAddress,
  to,
}: ConvertWalletDeps): Services<Event, Command> {
  return {
    // Not aborted: the conversion completes even if the user leaves the page.
    async convert() {
      try {
        const { address } = await client(convertWallet, { body: { walletAddress } })
        return { type: 'converted', address }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    leave: () => navigate(to),
  }
}
