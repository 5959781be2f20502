/** A page, a person and a wallet for unit tests: the real transport on both sides of a relay in memory. */
import { NETWORKS } from '@portico/keys/networks'
import { type EnvelopeKey, envelopeKey } from '../protocol/envelope.ts'
import { parseHandshakeResponse, sessionRequest } from '../protocol/handshake.ts'
import { newRpcId, type ReceivedRequest, type RpcRequest } from '../protocol/json-rpc.ts'
import { type ConnectOptions, formatUri } from '../protocol/uri.ts'
import { openPeer, type Peer } from '../transport/peer.ts'
import { type FakeRelay, type FakeTime, fakePorts } from '../transport/testing.ts'
import { type ActiveAccount, accountFromPrivateKey } from './active-account.ts'
import type { Approver, Broadcast } from './approver.ts'
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
  /** What the wallet sent without being asked: updates and the end. */
  readonly received: readonly ReceivedRequest[]
  /** Settles when the wallet has answered the request for a session. */
  readonly handshake: ReturnType<typeof handshakeOf>
  /** Asks the connected wallet. */
  readonly ask: (request: RpcRequest, walletId?: string) => ReturnType<Peer['request']>
}

/** A world with one relay, whose time passes when told to. */
export interface WalletTestWorld {
  readonly relay: FakeRelay
  readonly time: FakeTime
  readonly page: FakePage
  /** What the wallet brings; the person agrees to everything unless told otherwise. */
  readonly options: (approver?: Partial<Approver>, others?: Partial<WalletOptions>) => WalletOptions
  /** What the wallet has stored. */
  readonly stored: () => string | undefined
  readonly reports: readonly unknown[]
  readonly close: () => Promise<void>
}

/** Makes a world in which a page has shown its code, with these wishes in it. */
export async function aWalletWorld(wishes: ConnectOptions = {}): Promise<WalletTestWorld> {
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
      options: wishes,
    }),
    peer,
    key,
    received,
    handshake: handshakeOf(peer),
    ask(request, walletId = 'wallet') {
      const answer = peer.request(walletId, request)
      // Some questions of a test are never to be answered, and end with its world.
      void answer.catch(() => undefined)
      return answer
    },
  }
  void page.handshake.catch(() => undefined)

  const approver: Approver = {
    connect: async ({ accounts }) => accounts[0] && actingAs(accounts[0]),
    sign: async () => true,
    sendTransaction: async () => true,
    switchToGroup: async ({ request }) => (request.groupAddress === undefined ? null : GROUP),
  }
  const broadcast: Broadcast = async () => ({ txhash: 'AB', code: 0, rawLog: '' })
  return {
    relay,
    time,
    page,
    reports,
    stored: () => stored,
    options: (decisions = {}, others = {}) => ({
      ...ports,
      approver: { ...approver, ...decisions },
      accounts: [ACCOUNT],
      broadcast,
      introduction: { name: 'Wallet', description: '', url: '', icons: [] },
      chainId: NETWORKS.testnet.chainId,
      issuer: 'wallet.example',
      now: time.now,
      newTopic: () => 'wallet',
      store(text) {
        stored = text
      },
      report: (error) => reports.push(error),
      ...others,
    }),
    async close() {
      // Whoever closes while the relay is down waits for a while.
      const passing = setInterval(() => time.pass(10_000))
      await peer.close()
      clearInterval(passing)
    },
  }
}

/** An account that acts for itself. */
export function actingAs(account: ActiveAccount['account']): ActiveAccount {
  return { account, group: null }
}

async function handshakeOf(peer: Peer) {
  const request = sessionRequest(newRpcId(), { peerId: 'page', peerMeta: PAGE_META, chainId: null })
  return parseHandshakeResponse(await peer.request('handshake', request, { silent: true }))
}
