import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { responseOfProposal } from '@portico/chain-client/proposals'
import type { MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { NETWORKS } from '@portico/keys/networks'
import { openDeviceKeyKeeper } from '@portico/self-custody/device-key-keeper'
import { browserPasskeys } from '@portico/self-custody/passkey'
import { memoryKeyStore } from '@portico/self-custody/unlocked-key'
import { deviceRequestSource } from '@portico/wallet-kit/device-requests'
import type { DeviceStore } from '@portico/wallet-kit/device-wallet'

/** Opens the vault, the chain at this server, and the relay connections of the pages. */
export async function openKeys({
  page,
  store,
  window,
}: {
  readonly page: MobileWalletPage
  readonly store: DeviceStore
  readonly window: Window
}) {
  const { origin, hostname } = window.location
  const network = page.addressPrefix === 'pb' ? NETWORKS.mainnet : NETWORKS.testnet
  const { mobileName } = page.wallet
  const chain = openChain(httpChainNode(`${origin}/chain`))
  const keeper = openDeviceKeyKeeper({
    store,
    // The key is gone when the page is closed: a phone is easily lost.
    unlockedKeyStore: memoryKeyStore(),
    chain,
    network,
    issuer: hostname,
    uptime: () => performance.now(),
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
  await requests.ready
  return { keeper, requests }
}
