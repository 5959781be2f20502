/**
 * Loads the code for keys and connections, half of the whole, when it is first needed: a device without a wallet shows its
 * first screen without it.
 */

import type { DeviceRequests } from '@portico/wallet-kit/device-requests'
import type { DeviceKeyKeeper } from '@portico/wallet-kit/device-wallet'

interface Parts {
  readonly keeper: DeviceKeyKeeper
  readonly requests: DeviceRequests
}

/** Wraps a wallet that is known to be empty until `load` was called and another one was created. */
export function lazyWallet(load: () => Promise<Parts>): Parts {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  let opening: Promise<Parts> | undefined
  let opened: Parts | undefined
  const open = () => {
    opening ??= load().then(
      (parts) => {
        opened = parts
        parts.keeper.subscribe(notify)
        parts.requests.subscribe(notify)
        return parts
      },
      (error: unknown) => {
        // Without a network, for instance; the next use tries again.
        opening = undefined
        throw error
      },
    )
    return opening
  }
  const keeper = async () => (await open()).keeper

  return {
    keeper: {
      subscribe,
      vault: async () => opened?.keeper.vault() ?? { step: 'empty' },
      accounts: async () => (await keeper()).accounts(),
      create: async (account) => (await keeper()).create(account),
      rename: async (account) => (await keeper()).rename(account),
      lock: async () => (await keeper()).lock(),
      requestApproval: async (request, prompt) => (await keeper()).requestApproval(request, prompt),
      approve: async (approvalId) => (await keeper()).approve(approvalId),
      reject: async (approvalId) => (await keeper()).reject(approvalId),
      createVault: async (vault) => (await keeper()).createVault(vault),
      unlock: async (secret) => (await keeper()).unlock(secret),
      revealWords: async (passphrase) => (await keeper()).revealWords(passphrase),
      changePassphrase: async (change) => (await keeper()).changePassphrase(change),
      addPasskey: async (passphrase) => (await keeper()).addPasskey(passphrase),
      removePasskey: async () => (await keeper()).removePasskey(),
      setIdleMinutes: async (minutes) => (await keeper()).setIdleMinutes(minutes),
      extend: async () => opened?.keeper.extend(),
      removeVault: async () => (await keeper()).removeVault(),
      resultOf: async (promptId) => (await keeper()).resultOf(promptId),
      history: async () => (await keeper()).history(),
    },
    requests: {
      subscribe,
      ready: Promise.resolve(),
      prompt: () => opened?.requests.prompt(),
      decided: () => opened?.requests.decided(),
      pageReturn: () => opened?.requests.pageReturn(),
      waiting: () => opened?.requests.waiting() ?? 0,
      connecting: () => opened?.requests.connecting() ?? 0,
      sites: () => opened?.requests.sites() ?? NONE,
      topics: () => opened?.requests.topics() ?? NONE,
      answer: (promptId, result) => opened?.requests.answer(promptId, result),
      answered: async (promptId) => opened?.requests.answered(promptId),
      commit: async (promptId) => opened?.requests.commit(promptId) ?? false,
      release: (promptId) => opened?.requests.release(promptId),
      connect: async (code, origin) => (await open()).requests.connect(code, origin),
      disconnect: async (siteId) => opened?.requests.disconnect(siteId),
      wake: () => opened?.requests.wake(),
      resetTimeout: (origin, seconds) => opened?.requests.resetTimeout(origin, seconds),
      withdraw: async (origin) => opened?.requests.withdraw(origin),
      stop: async () => {
        await (await opening)?.requests.stop()
      },
    },
  }
}

const NONE: readonly never[] = []
