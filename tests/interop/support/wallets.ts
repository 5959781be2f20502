/** A wallet, ours or the published client, with scripted decisions. */
import { hexOf } from '@portico/keys/bytes'
import { NETWORKS } from '@portico/keys/networks'
import { anyBase64, WalletError } from '@portico/wallet-connect/protocol'
import {
  accountFromPrivateKey,
  approvedAccount,
  joinSession,
  type WalletSession,
} from '@portico/wallet-connect/wallet'
import {
  ACCOUNT,
  type AccountForm,
  accountsInForm,
  CHAIN,
  GROUP,
  signatureOver,
} from './account.ts'
import { type Payload, publishedClient } from './published.ts'

/** The user's decisions; by default everything is approved. */
export interface Decisions {
  readonly connect?: 'refuse'
  readonly sign?: 'refuse' | 'wait'
  /** The chain's answer to a transaction. */
  readonly code?: number
}

/** A transaction as decoded by the wallet. */
interface ReceivedTransaction {
  readonly messages: readonly string[]
  readonly memo: string | undefined
  readonly gasPrice: unknown
}

/** A wallet that has scanned a page's code. */
export interface TestWallet {
  /** The page's metadata, after its request. */
  readonly page: () => { readonly name: string; readonly url: string } | undefined
  readonly transactions: readonly ReceivedTransaction[]
  /** All requested bytes to sign, in hex. */
  readonly toSign: readonly string[]
  readonly update: (group: typeof GROUP | null) => Promise<void>
  readonly end: () => Promise<void>
  readonly isOver: () => boolean
  /** Closes the relay connection. */
  readonly leave: () => Promise<void>
}

/** A kind of wallet. */
export interface WalletKind {
  readonly name: string
  readonly join: (uri: string, decisions?: Decisions) => Promise<TestWallet>
  /** The errors that pages get when it refuses. */
  readonly words: { readonly connection: string; readonly signature: string }
}

const txResponse = (code: number) => ({
  txhash: 'A'.repeat(64),
  code,
  rawLog: code === 0 ? '[]' : 'insufficient funds',
  height: 7,
})

/** Our wallet. */
export const OURS: WalletKind = {
  name: 'our wallet',
  words: { connection: 'Connection rejected by user', signature: 'Sign request rejected by user' },
  async join(uri, decisions = {}) {
    const toSign: string[] = []
    const transactions: ReceivedTransaction[] = []
    let page: { name: string; url: string } | undefined
    const account = accountFromPrivateKey(ACCOUNT.privateKey, NETWORKS.testnet, ACCOUNT.name)
    const approved = (group: typeof GROUP | null, lifetimeS: number) =>
      approvedAccount({ account, group }, { issuer: 'wallet.example', lifetimeS })
    const session: WalletSession = await joinSession(uri, {
      accounts: [account],
      chainId: CHAIN,
      introduction: { name: 'A wallet', description: '', url: 'https://wallet.example', icons: [] },
      approver: {
        async connect(request) {
          page = request.page.peerMeta
          if (decisions.connect === 'refuse') throw new WalletError('rejected', 'Not today')
          return approved(null, request.tokenLifetimeS)
        },
        async sign({ request }, { signal, commit }) {
          toSign.push(hexOf(request.bytes))
          if (decisions.sign === 'wait')
            await new Promise((done) => signal.addEventListener('abort', done))
          if (decisions.sign !== undefined) throw new WalletError('rejected', 'Not today')
          commit()
          return account.sign(request.bytes)
        },
        async sendTransaction({ request }) {
          const { memo, gasPrice, messages } = request
          transactions.push({ messages: messages.map(anyBase64), memo, gasPrice })
          return txResponse(decisions.code ?? 0)
        },
        switchToGroup: async ({ request, tokenLifetimeS }) =>
          approved(request.groupAddress === undefined ? null : GROUP, tokenLifetimeS),
      },
    })
    return {
      page: () => page,
      transactions,
      toSign,
      update: (group) => session.update(approved(group, session.tokenLifetimeS)),
      end: session.end,
      isOver: () => session.state().step === 'ended',
      leave: session.leave,
    }
  },
}

/** The published client as a wallet, with one of the existing formats of accounts and chain ids. */
export function published(form: AccountForm, chainId: string | number): WalletKind {
  return {
    name: `the published client (${form} accounts, chain id a ${typeof chainId})`,
    words: { connection: 'Session Rejected', signature: 'Not today' },
    join: async (uri, decisions = {}) => publishedWallet({ uri, decisions, form, chainId }),
  }
}

/** The most common formats. */
export const THEIRS = published('object', CHAIN)

/** A request's metadata (protocol 9). */
interface Metadata {
  readonly customId?: string
  readonly memo?: string
  readonly gasPrice?: unknown
  readonly action?: string
  readonly payload?: { readonly address?: string; readonly customId?: string }
}

function publishedWallet(of: {
  readonly uri: string
  readonly decisions: Decisions
  readonly form: AccountForm
  readonly chainId: string | number
}): TestWallet {
  const { uri, decisions, form, chainId } = of
  const client = publishedClient({ uri })
  const toSign: string[] = []
  const transactions: ReceivedTransaction[] = []
  const waiting = new Map<string, number>()
  let page: { name: string; url: string } | undefined
  let ended = false
  const terms = (group: typeof GROUP | null) => ({ chainId, accounts: accountsInForm(form, group) })
  const grant = (id: number, result: unknown) => client.approveRequest({ id, result })
  const refuse = (id: number, message: string) => client.rejectRequest({ id, error: { message } })

  client.on('session_request', (_, { params }) => {
    const [proposal] = params as [{ peerMeta: { name: string; url: string } }]
    page = proposal.peerMeta
    if (decisions.connect === 'refuse') client.rejectSession()
    else client.approveSession(terms(null))
  })
  client.on('disconnect', () => {
    ended = true
  })
  client.on('call_request', (_, request) => answer(request))

  // Decoded by hand, because our own parser would prove nothing about the wire format.
  function answer({ id, method, params }: Payload): void {
    const [metadata = '{}', ...others] = params as string[]
    const details = JSON.parse(metadata) as Metadata
    if (method === 'provenance_sign') {
      const [hex = ''] = others
      toSign.push(hex)
      if (decisions.sign === 'wait') waiting.set(details.customId ?? '', id)
      else if (decisions.sign === 'refuse') refuse(id, 'Not today')
      else grant(id, signatureOver(Buffer.from(hex, 'hex')))
    } else if (method === 'provenance_sendTransaction') {
      const messages = others.map((hex) => Buffer.from(hex.replace(/^0x/, ''), 'hex').toString())
      transactions.push({ messages, memo: details.memo, gasPrice: details.gasPrice })
      grant(id, { txResponse: txResponse(decisions.code ?? 0) })
    } else if (details.action === 'switchToGroup') {
      grant(id, 'switched')
      client.updateSession(terms(details.payload?.address === GROUP.address ? GROUP : null))
    } else {
      const pending = waiting.get(details.payload?.customId ?? '')
      if (pending !== undefined) refuse(pending, 'Withdrawn')
      grant(id, 'removed')
    }
  }

  return {
    page: () => page,
    transactions,
    toSign,
    update: async (group) => client.updateSession(terms(group)),
    end: () => client.killSession(),
    isOver: () => ended,
    leave: async () => client.transportClose(),
  }
}
