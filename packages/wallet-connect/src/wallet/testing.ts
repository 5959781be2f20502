/** A page, an approver and a wallet for unit tests, with the real transport over an in-memory relay. */
import { NETWORKS } from '@portico/keys/networks'
import { type EnvelopeKey, envelopeKey } from '../protocol/envelope.ts'
import { WalletError } from '../protocol/errors.ts'
import { parseHandshakeResponse, sessionRequest } from '../protocol/handshake.ts'
import { newRpcId, type ReceivedRequest, type RpcRequest } from '../protocol/json-rpc.ts'
import { type ConnectOptions, formatUri } from '../protocol/uri.ts'
import { openPeer, type Peer } from '../transport/peer.ts'
import { type FakeRelay, type FakeTime, fakePorts } from '../transport/testing.ts'
import { type ApprovedAccount, accountFromPrivateKey, approvedAccount } from './accounts.ts'
import type { Approver } from './approver.ts'
import type { WalletOptions } from './wallet-session.ts'

const KEY = new Uint8Array(32).fill(7)
const PAGE_META = { name: 'Page', description: '', url: 'https://dapp.example', icons: [] }

/** The wallet's only account. */
export const ACCOUNT = accountFromPrivateKey(new Uint8Array(32).fill(1), NETWORKS.testnet, 'Ada')

/** A group it may act for. */
export const GROUP = { address: 'tp1group', groupId: 55 }

/** A page that has shown its code. */
interface FakePage {
  readonly uri: string
  readonly peer: Peer
  readonly key: EnvelopeKey
  /** Requests of the wallet: updates and the end of the session. */
  readonly received: readonly ReceivedRequest[]
  /** Settles when the wallet has answered the request for a session. */
  readonly handshake: ReturnType<typeof handshakeOf>
  /** Sends a request to the connected wallet. */
  readonly request: (request: RpcRequest, walletId?: string) => ReturnType<Peer['request']>
}

/** A test world with one relay and a manually advanced clock. */
export interface WalletTestWorld {
  readonly relay: FakeRelay
  readonly time: FakeTime
  readonly page: FakePage
  /** The wallet's options; by default the approver approves everything. */
  readonly options: (approver?: Partial<Approver>, others?: Partial<WalletOptions>) => WalletOptions
  /** The stored session. */
  readonly stored: () => string | undefined
  readonly reports: readonly unknown[]
  /** The wallet's account, for itself or a group, with a new token. */
  readonly approved: (group?: typeof GROUP | null, lifetimeS?: number) => ApprovedAccount
  readonly close: () => Promise<void>
}

/** Creates a world in which a page shows a code with these options. */
export async function aWalletWorld(connectOptions: ConnectOptions = {}): Promise<WalletTestWorld> {
  const { relay, time, ports } = fakePorts()
  const reports: unknown[] = []
  let stored: string | undefined

  const key = await envelopeKey(KEY)
  const received: ReceivedRequest[] = []
  const peer = openPeer({
    ...ports,
    bridge: 'ws://relay.example',
    key,
    topics: () => ['page'],
    onRequest: (request) => received.push(request),
  })
  const page: FakePage = {
    uri: formatUri({
      handshakeTopic: 'handshake',
      bridge: 'ws://relay.example',
      key: KEY,
      options: connectOptions,
    }),
    peer,
    key,
    received,
    handshake: handshakeOf(peer),
    request(request, walletId = 'wallet') {
      const answer = peer.request(walletId, request)
      // Some requests of a test never get a response and end with its world.
      void answer.catch(() => undefined)
      return answer
    },
  }
  void page.handshake.catch(() => undefined)

  const approver: Approver = {
    connect: async ({ tokenLifetimeS }) => world.approved(null, tokenLifetimeS),
    sign: signs,
    async sendTransaction(_, { commit }) {
      commit()
      return { txhash: 'AB', code: 0, rawLog: '' }
    },
    switchToGroup: async ({ request, tokenLifetimeS }) =>
      world.approved(request.groupAddress === undefined ? null : GROUP, tokenLifetimeS),
  }
  const world: WalletTestWorld = {
    relay,
    time,
    page,
    reports,
    stored: () => stored,
    approved: (group = null, lifetimeS = 86_400) =>
      approvedAccount(
        { account: ACCOUNT, group },
        { issuer: 'wallet.example', lifetimeS, now: time.now() },
      ),
    options: (decisions = {}, others = {}) => ({
      ...ports,
      approver: { ...approver, ...decisions },
      accounts: [ACCOUNT],
      introduction: { name: 'Wallet', description: '', url: '', icons: [] },
      chainId: NETWORKS.testnet.chainId,
      now: time.now,
      newTopic: () => 'wallet',
      store(text) {
        stored = text
      },
      report: (error) => reports.push(error),
      ...others,
    }),
    async close() {
      // Closing while the relay is down waits for a timeout.
      const passing = setInterval(() => time.pass(10_000))
      await peer.close()
      clearInterval(passing)
    },
  }
  return world
}

/** Approves and signs. */
export const signs: Approver['sign'] = async ({ request }, { commit }) => {
  commit()
  return ACCOUNT.sign(request.bytes)
}

/** Declines any request. */
export const rejects = async () => Promise.reject(new WalletError('rejected', 'The user declined'))

async function handshakeOf(peer: Peer) {
  const request = sessionRequest(newRpcId(), { peerId: 'page', peerMeta: PAGE_META, chainId: null })
  return parseHandshakeResponse(await peer.request('handshake', request, { silent: true }))
}
