import type { BrowserApi } from '../browser-api.ts'

/** The scripts of the manifest, for the sites on which the user has enabled the wallet. */
const SCRIPTS = [
  { id: 'announce', js: ['announce.js'], world: 'MAIN' },
  { id: 'bridge', js: ['bridge.js'], world: 'ISOLATED' },
] as const

/** Registers the content scripts on the sites that the user has granted, and on no others. */
export async function registerSiteScripts({ permissions, runtime, scripting }: BrowserApi) {
  const fixed = runtime.getManifest().host_permissions ?? []
  const { origins = [] } = await permissions.getAll()
  const matches = origins.filter((origin) => !fixed.includes(origin))
  const registered = await scripting.getRegisteredContentScripts()
  if (registered.length > 0) await scripting.unregisterContentScripts()
  if (matches.length === 0) return
  await scripting.registerContentScripts(
    SCRIPTS.map(({ id, js, world }) => ({
      id,
      js: [...js],
      matches,
      world,
      runAt: 'document_start',
      allFrames: true,
    })),
  )
}
