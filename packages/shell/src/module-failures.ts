import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { moduleFailure } from '@portico/rules/module-reload'
import type { LoadPart } from './part.tsx'
import type { TextStorage } from './text-storage.ts'

/**
 * Loads parts of the application (§4.11). Where one cannot be loaded, as after a release that replaced its file, the
 * page is loaded anew, five times in a browser session; after that the failure is thrown and the error screen shows.
 * Every part comes through here, so the bundler's own event for the same failure is not listened to: it would also
 * reload for what the page can do without, such as the drawing of a notification, and lose what was typed.
 */
export function partLoader({
  storage,
  reload,
}: {
  readonly storage: TextStorage
  readonly reload: () => void
}): LoadPart {
  return async (load) => {
    try {
      return await load()
    } catch (error) {
      const reloads = Number(storage.read(STORAGE_KEYS.moduleReloads) ?? 0)
      const next = moduleFailure(Number.isInteger(reloads) ? reloads : 0)
      if (next.kind === 'giveUp') throw error
      storage.keep(STORAGE_KEYS.moduleReloads, String(next.reloads))
      // A count that cannot be kept would never end, and the page with it.
      if (storage.read(STORAGE_KEYS.moduleReloads) !== String(next.reloads)) throw error
      reload()
      // The page is going away; until then the part is still on its way.
      return new Promise<never>(() => undefined)
    }
  }
}
