import { createRequire } from 'node:module'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { NETWORKS } from '@portico/keys/networks'
import { WalletError } from '@portico/wallet-connect/protocol'
import { WalletConnectService, WINDOW_MESSAGES } from '@portico/wallet-connect/session'
import { accountFromPrivateKey, approvedAccount, joinSession } from '@portico/wallet-connect/wallet'
import { installPublishedPackages, PUBLISHED_PACKAGES } from '../tools/test/published-packages.ts'
import { type Figure, figure, short } from './figure.ts'
import { measureAlternately, median } from './pairs.ts'
import { aSite } from './sites.ts'

const HANDSHAKES = 40
const BRIDGE = '/service-wallet-connect-bridge/ws/external'

const KEY = new Uint8Array(32).fill(7)
const { chainId } = NETWORKS.testnet
const account = accountFromPrivateKey(KEY, NETWORKS.testnet, 'My account')
const introduction = { name: 'A wallet', description: '', url: 'https://wallet.example', icons: [] }

const rejects = async () => Promise.reject(new WalletError('rejected', 'Nothing is signed here'))

/** The used part of the published client's API. */
interface PublishedClient {
  readonly uri: string
  readonly on: (event: string, listener: (error: Error | null) => void) => void
  readonly createSession: () => Promise<void>
  readonly approveSession: (terms: object) => void
  readonly transportClose: () => void
}

/** From the start of connecting until connected, with wallet and page in this process and the relay in another. */
export async function handshakeFigures(rounds: number): Promise<Figure[]> {
  await installPublishedPackages()
  await using site = await aSite('embedded', 1)
  await using product = await site.serve()
  const bridge = `ws://127.0.0.1:${product.port}${BRIDGE}`
  const { ours, published } = await measureAlternately(rounds, {
    published: () => typical(() => publishedHandshake(bridge)),
    ours: () => typical(() => handshake(bridge)),
  })
  return [
    figure({
      figure:
        'Handshake to connected, the wallet agreeing at once; @walletconnect/client at both ends',
      on: 'one node',
      ours,
      baseline: published,
      write: (ms) => `${short(ms)} ms`,
    }),
  ]
}

async function typical(once: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let done = 0; done < HANDSHAKES; done += 1) times.push(await once())
  return median(times)
}

async function handshake(bridge: string): Promise<number> {
  const page = new WalletConnectService({ bridge, shortLinks: '' })
  const connected = new Promise<void>((resolve) => {
    page.addListener(WINDOW_MESSAGES.CONNECTED, () => resolve())
  })
  const begin = performance.now()
  await page.init({ noPopup: true })
  const wallet = await joinSession(page.state.modal.QRCodeUrl, {
    accounts: [account],
    chainId,
    introduction,
    approver: {
      connect: async ({ tokenLifetimeS: lifetimeS }) =>
        approvedAccount({ account, group: null }, { issuer: 'wallet.example', lifetimeS }),
      sign: rejects,
      sendTransaction: rejects,
      switchToGroup: rejects,
    },
  })
  await connected
  const took = performance.now() - begin
  await page.disconnect()
  await wallet.leave()
  page.stop()
  return took
}

async function publishedHandshake(bridge: string): Promise<number> {
  const page = publishedClient({ bridge })
  const begin = performance.now()
  await page.createSession()
  const wallet = publishedClient({ uri: page.uri })
  wallet.on('session_request', () => wallet.approveSession({ chainId: 1, accounts: ['tp1'] }))
  await new Promise<void>((resolve) => page.on('connect', () => resolve()))
  const took = performance.now() - begin
  for (const end of [page, wallet]) end.transportClose()
  return took
}

let clients = 0

function publishedClient(options: object): PublishedClient {
  const load = createRequire(path.join(PUBLISHED_PACKAGES, 'package.json'))
  // Its own types require more than is used here.
  const { default: Client } = load('@walletconnect/client') as {
    default: new (options: object) => PublishedClient
  }
  clients += 1
  return new Client({ ...options, storageId: `bench-${clients}` })
}
