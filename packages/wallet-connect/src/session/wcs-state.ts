import type {
  GroupPolicy,
  WalletAccount,
  WalletAttribute,
  WalletInfo,
} from '../protocol/account.ts'
import type { PeerMeta } from '../protocol/handshake.ts'
import type { ModalData, PendingMethod, RelayStatus } from './config.ts'
import type { WalletId } from './launch/wallet-addresses.ts'
import type { State } from './session.flow.ts'

/** Connection status (§4.1). */
export type WalletConnectServiceStatus = State['step']

/** The public state of a wallet session (§3). It contains no key and no connection. */
export interface WCSState {
  readonly address: string
  readonly attributes: readonly WalletAttribute[]
  readonly bridge: string
  readonly connected: boolean
  readonly connectionEST: number | null
  readonly connectionEXP: number | null
  /** Milliseconds. */
  readonly connectionTimeout: number
  readonly iframeParentId: string
  readonly modal: ModalData
  readonly peer: PeerMeta | null
  readonly pendingMethod: PendingMethod | ''
  readonly publicKey: string
  /** Whether the relay can be reached; undefined until it responds, and while disconnected. */
  readonly relayStatus: RelayStatus | undefined
  readonly representedGroupPolicy: GroupPolicy | null
  readonly signedJWT: string
  readonly status: WalletConnectServiceStatus
  readonly version: string
  readonly walletAppId: WalletId | undefined
  readonly walletInfo: WalletInfo
}

/** The version of the public library that this API matches (§9); 3.10.3 reports the same version. */
export const VERSION = '3.10.2'

const NO_ATTRIBUTES: WCSState['attributes'] = []
const NO_WALLET: WalletInfo = {}

type Identity = Pick<
  WCSState,
  | 'address'
  | 'attributes'
  | 'connectionEST'
  | 'connectionEXP'
  | 'peer'
  | 'pendingMethod'
  | 'publicKey'
  | 'representedGroupPolicy'
  | 'signedJWT'
  | 'walletInfo'
>

const NO_IDENTITY: Identity = {
  address: '',
  attributes: NO_ATTRIBUTES,
  connectionEST: null,
  connectionEXP: null,
  peer: null,
  pendingMethod: '',
  publicKey: '',
  representedGroupPolicy: null,
  signedJWT: '',
  walletInfo: NO_WALLET,
}

/** Derives the public state. Unchanged parts keep their identity, so that readers can compare by reference. */
export function wcsState(state: State): WCSState {
  const { bridge, connectionTimeoutMs, iframeParentId, modal, walletAppId } = state.settings
  return {
    ...(state.step === 'connected' ? identityOf(state) : NO_IDENTITY),
    bridge,
    connected: state.step === 'connected',
    connectionTimeout: connectionTimeoutMs,
    iframeParentId,
    modal,
    relayStatus: state.step === 'disconnected' ? undefined : state.relay,
    status: state.step,
    version: VERSION,
    walletAppId,
  }
}

function identityOf({ session, operations }: Extract<State, { step: 'connected' }>): Identity {
  const account: WalletAccount = session.account
  return {
    address: account.address,
    attributes: account.attributes,
    connectionEST: session.connectionEST,
    connectionEXP: session.connectionEXP,
    peer: session.peer,
    pendingMethod: operations.at(-1)?.method ?? '',
    publicKey: account.publicKey,
    representedGroupPolicy: account.representedGroupPolicy,
    signedJWT: session.signedJWT,
    walletInfo: account.walletInfo,
  }
}
