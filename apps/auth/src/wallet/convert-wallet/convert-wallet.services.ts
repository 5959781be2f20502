import { convertWallet } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../../environment.ts'
import type { Command, Event } from './convert-wallet.flow.ts'

/** What the conversion leans on. */
export interface ConvertWalletDeps extends Pick<Environment, 'client' | 'navigate'> {
  readonly walletAddress: string
  /** Where the person came from. */
  readonly to: string
}

/** Carries out what the conversion has done; each service reports back with an event. */
export function convertWalletServices({
  client,
  navigate,
  walletAddress,
  to,
}: ConvertWalletDeps): Services<Event, Command> {
  return {
    // Not aborted: what was asked for happens whether or not the person waits for it here.
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
