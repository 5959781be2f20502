import { readWalletJwt } from '@portico/contracts/wallet'
import { WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import type { Environment } from '../../environment.ts'
import { connectedWallet } from './connected-wallet.ts'
import type { Connection } from './connection.ts'
import { keepIdentityToken } from './identity-token.ts'

/**
 * Refreshes the identity token after each switch to a group that completed (§4.1), so that the session acts for whom
 * the wallet represents. Gives the way to stop. A token that is refused leaves the one there is.
 */
export function refreshAfterSwitch(
  connection: Pick<Connection, 'addListener' | 'removeListener' | 'state'>,
  needs: Pick<Environment, 'client' | 'identityTokenUpdated' | 'jwt' | 'reportError'>,
): () => void {
  async function refresh(): Promise<void> {
    const wallet = connectedWallet(connection)
    if (wallet === undefined) return
    const { address: walletAddress, group } = wallet
    const query = { walletAddress, ...(group === undefined ? {} : { groupPolicyAddress: group }) }
    const { jwt } = await needs.client(readWalletJwt, { query })
    keepIdentityToken(needs, jwt)
  }
  const switched = () => void refresh().catch(needs.reportError)
  const { SWITCH_TO_GROUP_COMPLETE } = WINDOW_MESSAGES
  connection.addListener(SWITCH_TO_GROUP_COMPLETE, switched)
  return () => connection.removeListener(SWITCH_TO_GROUP_COMPLETE, switched)
}
