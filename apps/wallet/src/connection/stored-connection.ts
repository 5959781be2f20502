import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/shell/text-storage'
import * as z from 'zod/mini'

/**
 * The connection as it outlasts a reload: the code that it began with, the origin of the page as the browser said it then,
 * and what the library stores, of a session or of a page's request for one that is still being decided.
 */
const Kept = z.union([
  z.object({ uri: z.string(), session: z.string(), origin: z.optional(z.string()) }),
  z.object({ uri: z.string(), asked: z.string(), origin: z.optional(z.string()) }),
])

/** A kept connection. */
export type StoredConnection = z.output<typeof Kept>

/** Reads, keeps and forgets the connection; it holds a key, so it is a secret of this origin. */
export function storedConnection(storage: TextStorage) {
  return {
    read(): StoredConnection | undefined {
      const kept = Kept.safeParse(json(storage.read(STORAGE_KEYS.hostedWallet)))
      return kept.success ? kept.data : undefined
    },
    keep: (kept: StoredConnection) => storage.keep(STORAGE_KEYS.hostedWallet, JSON.stringify(kept)),
    forget: () => storage.remove(STORAGE_KEYS.hostedWallet),
  }
}

function json(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    // Nothing kept, or not by us.
    return undefined
  }
}
