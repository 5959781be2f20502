import { MODULE_RELOADS_MAXIMUM } from '@portico/contracts/limits'

/** What to do if a module could not be loaded (§4.11). */
export type ModuleFailure =
  | { readonly kind: 'reload'; readonly reloads: number }
  | { readonly kind: 'giveUp' }

/** Reloads the page up to five times per browser session; after that the error screen is shown. */
export function moduleFailure(reloadsSoFar: number): ModuleFailure {
  return reloadsSoFar < MODULE_RELOADS_MAXIMUM
    ? { kind: 'reload', reloads: reloadsSoFar + 1 }
    : { kind: 'giveUp' }
}
