import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { responseOfProposal } from '@portico/chain-client/proposals'
import { NETWORKS } from '@portico/keys/networks'
import { openVaultKeeper, type VaultKeeper } from '@portico/self-custody/vault-keeper'
import { type DeviceRequests, deviceRequestSource } from '@portico/wallet-kit/device-requests'
import type { BrowserApi } from '../browser-api.ts'
import { localStore } from './local-store.ts'
import { sessionKeyStore } from './session-key-store.ts'

/** What the worker serves to the extension's windows and to pages. */
export interface Wallet {
  readonly keeper: VaultKeeper
  readonly source: DeviceRequests
}

/** Opens the wallet of this browser profile: its key keeper, and the stored connections to pages. */
export async function openWallet(
  { runtime, storage }: BrowserApi,
  reportError: (error: unknown) => void,
): Promise<Wallet> {
  await Promise.all([storage.local, storage.session].map(restrict))
  const { name, description = '', homepage_url: lender = '' } = runtime.getManifest()
  const store = localStore(storage.local)
  const network = NETWORKS[NETWORK]
  const chain = openChain(httpChainNode(new URL('chain', lender).href))
  const keeper = openVaultKeeper({
    store,
    unlockedKeyStore: sessionKeyStore(storage.session),
    chain,
    network,
    issuer: new URL(lender).hostname,
    uptime: () => performance.now(),
  })
  const source = deviceRequestSource({
    keeper,
    store,
    proposalOutcome: (proposed) => responseOfProposal(chain, proposed, Date.now),
    introduction: { name, description, url: lender, icons: [] },
    chainId: network.chainId,
    now: Date.now,
    report: reportError,
  })
  await source.ready
  return { keeper, source }
}

/** Scripts in pages cannot read the wallet's storage. Not every browser supports this for local storage. */
async function restrict(area: chrome.storage.StorageArea): Promise<void> {
  await area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
}
