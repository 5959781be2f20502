import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/shell/text-storage'
import * as z from 'zod/mini'

/**
 * The connection in storage: the code it started with, the page's origin as the browser reported it then,
 * and the text that the library stores for a session or for a session request that is still undecided.
 */
const StoredConnection = z.union([
  z.object({ uri: z.string(), session: z.string(), origin: z.optional(z.string()) }),
  z.object({ uri: z.string(), asked: z.string(), origin: z.optional(z.string()) }),
])

export type StoredConnection = z.output<typeof StoredConnection>

/** Reads, writes and removes the stored connection. It contains a key, so it is a secret of this origin. */
export function storedConnection(storage: TextStorage) {
  return {
    read(): StoredConnection | undefined {
      const parsed = StoredConnection.safeParse(parseJson(storage.read(STORAGE_KEYS.hostedWallet)))
      return parsed.success ? parsed.data : undefined
    },
    write: (connection: StoredConnection) =>
      storage.keep(STORAGE_KEYS.hostedWallet, JSON.stringify(connection)),
    remove: () => storage.remove(STORAGE_KEYS.hostedWallet),
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    // Nothing stored, or not valid JSON.
    return undefined
  }
}
