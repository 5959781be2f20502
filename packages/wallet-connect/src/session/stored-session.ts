import { bytesOfHex, hexOf } from '@portico/keys/bytes'
import { parseAccounts } from '../protocol/account.ts'
import { fieldsOf, textOf } from '../protocol/fields.ts'
import { type PeerMeta, peerMetaIn } from '../protocol/handshake.ts'
import type { Settings } from './config.ts'
import { isWalletId } from './launch/wallet-addresses.ts'
import type { StoragePort } from './ports.ts'
import type { RestorableSession, Session } from './session.flow.ts'

/**
 * A session in storage, under the keys and in the format of the public library, so that a page that migrates
 * keeps its sessions. Other tabs may read between two writes: the key they check first (`walletconnect`) is written last
 * and removed first.
 */

/** The storage keys (§3). The first holds the connection's key, so it is a secret of the page. */
export const LOCAL_STORAGE_NAMES = {
  WALLETCONNECT: 'walletconnect',
  WALLETCONNECTJS: 'walletconnect-js',
} as const

/** The parameters both ends of a connection agreed on. */
export interface LinkTerms {
  readonly bridge: string
  readonly chainId: string | number | null
  readonly clientId: string
  readonly clientMeta: PeerMeta
  readonly handshakeId: number
  readonly handshakeTopic: string
  readonly key: Uint8Array
  readonly peerId: string
  readonly peerMeta: PeerMeta | null
}

/** A stored connection. Without `restorable` its expiry is unknown, so it can only be ended. */
export interface StoredSession {
  readonly terms: LinkTerms
  readonly restorable: RestorableSession | undefined
}

const KEY_BYTES = 32

/** Reads the stored session. Other code may have written to these keys, so the content is validated and nothing throws. */
export function readStoredSession(storage: StoragePort): StoredSession | undefined {
  const client = fieldsOf(storage.read(LOCAL_STORAGE_NAMES.WALLETCONNECT) ?? '')
  const terms = client['connected'] === true ? termsIn(client) : undefined
  if (terms === undefined) return undefined
  const page = fieldsOf(storage.read(LOCAL_STORAGE_NAMES.WALLETCONNECTJS) ?? '')
  const account = parseAccounts(client['accounts'])
  const { connectionEST, connectionEXP } = page
  const hasDates = isTime(connectionEST) && isTime(connectionEXP) && connectionEST < connectionEXP
  if (!hasDates || account.address === '') return { terms, restorable: undefined }
  const signedJWT = textOf(page['signedJWT']) ?? account.jwt
  const { clientId, peerMeta: peer } = terms
  const session = { clientId, account, connectionEST, connectionEXP, peer, signedJWT }
  return { terms, restorable: { session, settings: settingsIn(page, terms.bridge) } }
}

export function writeStoredSession(
  storage: StoragePort,
  { terms, session, settings }: { terms: LinkTerms; session: Session; settings: Settings },
): void {
  const { connectionEST, connectionEXP, signedJWT, account } = session
  const { connectionTimeoutMs: connectionTimeout, iframeParentId, walletAppId } = settings
  storage.write(
    LOCAL_STORAGE_NAMES.WALLETCONNECTJS,
    JSON.stringify({
      connectionEST,
      connectionEXP,
      connectionTimeout,
      iframeParentId,
      signedJWT,
      walletAppId,
    }),
  )
  storage.write(
    LOCAL_STORAGE_NAMES.WALLETCONNECT,
    JSON.stringify({ connected: true, accounts: [account], ...terms, key: hexOf(terms.key) }),
  )
}

export function removeStoredSession(storage: StoragePort): void {
  storage.remove(LOCAL_STORAGE_NAMES.WALLETCONNECT)
  storage.remove(LOCAL_STORAGE_NAMES.WALLETCONNECTJS)
}

function termsIn(client: Readonly<Record<string, unknown>>): LinkTerms | undefined {
  const bridge = textOf(client['bridge'])
  const clientId = textOf(client['clientId'])
  const peerId = textOf(client['peerId'])
  const key = bytesOfHex(textOf(client['key']) ?? '')
  if (bridge === undefined || !URL.canParse(bridge) || clientId === undefined) return undefined
  if (peerId === undefined || key?.length !== KEY_BYTES) return undefined
  const { chainId, handshakeId, peerMeta } = client
  return {
    bridge,
    chainId: typeof chainId === 'string' || typeof chainId === 'number' ? chainId : null,
    clientId,
    clientMeta: peerMetaIn(client['clientMeta']),
    handshakeId: typeof handshakeId === 'number' ? handshakeId : 0,
    handshakeTopic: textOf(client['handshakeTopic']) ?? '',
    key,
    peerId,
    peerMeta: peerMeta === null || peerMeta === undefined ? null : peerMetaIn(peerMeta),
  }
}

function settingsIn(page: Readonly<Record<string, unknown>>, bridge: string): Partial<Settings> {
  const { connectionTimeout, walletAppId } = page
  const iframeParentId = textOf(page['iframeParentId'])
  return {
    bridge,
    ...(isTime(connectionTimeout) && connectionTimeout > 0
      ? { connectionTimeoutMs: connectionTimeout }
      : {}),
    ...(iframeParentId === undefined ? {} : { iframeParentId }),
    ...(isWalletId(walletAppId) ? { walletAppId } : {}),
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
