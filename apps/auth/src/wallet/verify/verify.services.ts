import { ApiError } from '@portico/client/api-error'
import { BEARER_PREFIX, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import {
  attachWallet,
  readWalletNonce,
  STORED_JWT_HEADER,
  WalletName,
} from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { tokenClaims } from '@portico/rules/token-claims'
import { walletErrorText } from '@portico/rules/wallet-error'
import type { Failure } from '@portico/shell/failure'
import { withRefusals } from '@portico/shell/failure-of'
import { isKnownText } from '@portico/wallet-connect/protocol'
import type { Environment } from '../../environment.ts'
import type { Connection } from '../connection/connection.ts'
import { storeIdentityToken } from '../connection/identity-token.ts'
import type { Command, Event, Result } from './verify.flow.ts'

export interface VerifyDeps
  extends Pick<Environment, 'client' | 'identityTokenUpdated' | 'jwt' | 'storage'> {
  readonly connection: Connection
  readonly onResult: (result: Result) => void
}

export function verifyServices(deps: VerifyDeps): Services<Event, Command> {
  const { client, jwt: stored, connection, onResult, storage } = deps
  const walletToken = () => `${BEARER_PREFIX}${connection.state.signedJWT}`
  return withRefusals<Event, Command>({
    async signNonce(_, signal) {
      const headers = { authorization: walletToken() }
      const { hexEncodedNonce } = await client(readWalletNonce, { headers, signal })
      const { valid, result, error } = await connection.signHexMessage(hexEncodedNonce)
      if (!valid || result === undefined) return { type: 'refused', failure: signingFailure(error) }
      return { type: 'signed', signedNonceHex: result.signature }
    },
    async attach({ signedNonceHex }, signal) {
      const { name = '' } = connection.state.walletInfo
      const headers = { authorization: walletToken(), [STORED_JWT_HEADER]: stored.read() ?? '' }
      // Sent only when non-empty (§5). An invalid name must not prevent attaching the wallet.
      const { data: walletName } = WalletName.safeParse(name.trim())
      const nameParameter = walletName === undefined ? {} : { walletName }
      const query = { signedNonceHex, defaultWallet: 'true', ...nameParameter } as const
      try {
        const { jwt } = await client(attachWallet, { query, headers, signal })
        storeIdentityToken(deps, jwt)
        // The session now acts as this wallet, so update the tab's selection (§3).
        const { addr, grp } = tokenClaims(jwt)
        const owner = grp ?? addr
        if (owner !== undefined) storage.write(STORAGE_KEYS.ownerWallet, owner)
        return { type: 'attached' }
      } catch (error) {
        if (error instanceof ApiError && error.reason === 'wallet-already-attached') {
          return { type: 'alreadyAttached' }
        }
        throw error
      }
    },
    disconnect: () => void connection.disconnect(),
    async endConnection({ walletKind }) {
      if (connection.state.connected) {
        await connection.disconnect()
        // Its event arrives in the next turn, and must not end the attempt that begins now.
        await new Promise((resolve) => setTimeout(resolve))
      }
      return { type: 'connectionEnded', walletKind }
    },
    returnResult: ({ result }) => onResult(result),
  })
}

/** The wallet did not sign; its reason is shown if it has one. */
function signingFailure(error: string | undefined): Failure {
  return { notices: [walletErrorText(error, isKnownText) ?? 'The wallet did not sign.'] }
}
