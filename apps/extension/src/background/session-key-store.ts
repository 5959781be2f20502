import { base64Of, bytesOfBase64 } from '@portico/keys/bytes'
import type { UnlockedKeyStore } from '@portico/self-custody/unlocked-key'
import * as z from 'zod/mini'

const KEY = 'unlocked-key'
const Stored = z.optional(z.string())

/**
 * Keeps the unlocked key in session storage: in memory, beyond the worker's life, until the browser closes or the extension is
 * updated. A `CryptoKey` cannot be stored there, so it is kept as bytes, in base64 because the storage is JSON.
 */
export function sessionKeyStore(area: chrome.storage.StorageArea): UnlockedKeyStore {
  return {
    async read() {
      const stored = Stored.parse((await area.get(KEY))[KEY])
      return stored === undefined ? undefined : bytesOfBase64(stored)
    },
    write: (bytes) => area.set({ [KEY]: base64Of(bytes) }),
    clear: () => area.remove(KEY),
  }
}
