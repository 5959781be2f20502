import { ApiError } from '@portico/client/api-error'
import { MAX_MODULE_RELOADS } from '@portico/contracts/limits'
import { NOTICES } from '@portico/contracts/notices'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import type { LoadModule } from './lazy-component.tsx'

/**
 * Loads modules on demand (§4.11). If one fails to load, for example because a release replaced its file, the page
 * reloads, at most five times per browser session; after that the error is thrown and the error screen is shown. If the server cannot be reached, the page stays, and the error is
 * that of a call. Vite's
 * own `vite:preloadError` event is not used: it would also reload for optional code, such as the toast viewport, and lose
 * form input.
 */
export function moduleLoader({
  storage,
  reload,
  isReachable,
}: {
  readonly storage: TextStorage
  readonly reload: () => void
  /** Whether the server responds. Otherwise a reload would lose the page and what was typed. */
  readonly isReachable: () => Promise<boolean>
}): LoadModule {
  return async (load) => {
    try {
      return await load()
    } catch (error) {
      if (!(await isReachable())) {
        throw new ApiError('unreachable', NOTICES.fetchFailed, { cause: error })
      }
      const reloads = Number(storage.read(STORAGE_KEYS.moduleReloads) ?? 0)
      const next = moduleFailure(Number.isInteger(reloads) ? reloads : 0)
      if (next.kind === 'giveUp') throw error
      storage.write(STORAGE_KEYS.moduleReloads, String(next.reloads))
      // If the count cannot be stored, the page would reload forever.
      if (storage.read(STORAGE_KEYS.moduleReloads) !== String(next.reloads)) throw error
      reload()
      // The page is about to reload, so stay pending until then.
      return new Promise<never>(() => undefined)
    }
  }
}

/** How to handle a module that failed to load (§4.11). */
type ModuleFailure =
  | { readonly kind: 'reload'; readonly reloads: number }
  | { readonly kind: 'giveUp' }

/** Reloads the page up to five times per browser session; after that the error screen is shown. */
export function moduleFailure(reloadsSoFar: number): ModuleFailure {
  return reloadsSoFar < MAX_MODULE_RELOADS
    ? { kind: 'reload', reloads: reloadsSoFar + 1 }
    : { kind: 'giveUp' }
}
