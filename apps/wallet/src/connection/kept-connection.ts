import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/shell/text-storage'
import * as z from 'zod/mini'

/** The connection as it outlasts a reload: what the library stores, and the code that it began with. */
const Kept = z.object({ uri: z.string(), session: z.string() })

/** A kept connection. */
export type KeptConnection = z.output<typeof Kept>

/** Reads, keeps and forgets the connection; it holds a key, so it is a secret of this origin. */
export function keptConnection(storage: TextStorage) {
  return {
    read(): KeptConnection | undefined {
      const kept = Kept.safeParse(json(storage.read(STORAGE_KEYS.hostedWallet)))
      return kept.success ? kept.data : undefined
    },
    keep: (kept: KeptConnection) => storage.keep(STORAGE_KEYS.hostedWallet, JSON.stringify(kept)),
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
