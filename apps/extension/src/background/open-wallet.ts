import { Refusal } from '@portico/contracts/errors'
import type { DeviceKeyKeeper, DeviceRequestSource } from '@portico/wallet-kit/device-wallet'
import type { BrowserApi } from '../browser-api.ts'
import type { Wallet } from './serve-call.ts'

/** Opens the wallet of this browser profile. */
export async function openWallet({ storage }: BrowserApi): Promise<Wallet> {
  await Promise.all([storage.local, storage.session].map(restrict))
  const unavailable = () => Promise.reject(new Refusal('wallet-locked'))
  const keeper: DeviceKeyKeeper = {
    accounts: unavailable,
    create: unavailable,
    rename: unavailable,
    lock: async () => {},
    requestApproval: unavailable,
    approve: unavailable,
    reject: unavailable,
    vault: async () => ({ step: 'empty' }),
    subscribe: () => () => {},
    createVault: unavailable,
    unlock: unavailable,
    revealWords: unavailable,
    changePassphrase: unavailable,
    addPasskey: unavailable,
    removePasskey: unavailable,
    setIdleMinutes: unavailable,
    extend: async () => {},
    removeVault: async () => {},
    resultOf: async () => undefined,
    history: async () => [],
  }
  const source: DeviceRequestSource = {
    prompt: () => undefined,
    waiting: () => 0,
    subscribe: () => () => {},
    answer: () => {},
    commit: async () => false,
    release: () => {},
    sites: () => [],
    decided: () => undefined,
    returnUrl: () => undefined,
    connect: async () => 'account-unavailable',
    disconnect: async () => {},
  }
  return { keeper, source }
}

/** Scripts in pages cannot read the wallet's storage, where the browser supports that. */
async function restrict(area: chrome.storage.StorageArea): Promise<void> {
  await area.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
}
