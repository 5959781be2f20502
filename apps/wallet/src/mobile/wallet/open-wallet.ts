import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { responseOfProposal } from '@portico/chain-client/proposals'
import type { MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { NETWORKS } from '@portico/keys/networks'
import { browserStore } from '@portico/self-custody/browser-store'
import { openDeviceKeyKeeper } from '@portico/self-custody/device-key-keeper'
import { browserPasskeys } from '@portico/self-custody/passkey'
import { memoryKeyStore } from '@portico/self-custody/unlocked-key'
import { type DeviceEnvironment, deviceEnvironment } from '@portico/wallet-kit/device-environment'
import { type DeviceRequests, deviceRequestSource } from '@portico/wallet-kit/device-requests'

/** The wallet of this device, with its connections. */
export interface OpenWallet {
  readonly device: DeviceEnvironment
  readonly requests: DeviceRequests
}

const NETWORK_NAMES = { pb: 'Provenance main network', tp: 'Provenance test network' } as const

/** Opens the wallet: its vault in IndexedDB, the chain at this server, and the relay connections of its pages. */
export async function openWallet(page: MobileWalletPage, window: Window): Promise<OpenWallet> {
  const { origin, hostname } = window.location
  const network = page.addressPrefix === 'pb' ? NETWORKS.mainnet : NETWORKS.testnet
  const { mobileName } = page.wallet
  const store = browserStore('mobile-wallet')
  const chain = openChain(httpChainNode(`${origin}/chain`))
  const keeper = openDeviceKeyKeeper({
    store,
    // The key is gone when the page is closed: a phone is easily lost.
    unlockedKeyStore: memoryKeyStore(),
    chain,
    network,
    issuer: hostname,
    passkeys: browserPasskeys({
      relyingParty: { id: hostname, name: page.name },
      userName: mobileName,
    }),
  })
  const requests = deviceRequestSource({
    keeper,
    store,
    introduction: { name: mobileName, description: '', url: origin, icons: [] },
    chainId: network.chainId,
    now: Date.now,
    proposalOutcome: (proposed) => responseOfProposal(chain, proposed, Date.now),
    report: (error) => window.reportError(error),
  })
  window.document.addEventListener('visibilitychange', () => {
    if (window.document.visibilityState === 'visible') requests.wake()
  })
  await requests.ready
  const parts = {
    keeper,
    requests,
    version: page.version,
    network: NETWORK_NAMES[page.addressPrefix],
  }
  return { device: deviceEnvironment(parts, window), requests }
}
