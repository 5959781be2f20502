/** Which announcements are shown, and what dismissing one means (§4.3). */
import {
  type Banner,
  type BannerApp,
  BannerList,
  Dismissal,
  type Dismissals,
} from '@portico/contracts/banner'
import { BANNERS_MAXIMUM } from '@portico/contracts/limits'

/** The banners in data that may be anything; nothing where it is no list of banners (§5). */
export function bannersIn(data: unknown): readonly Banner[] | undefined {
  const parsed = BannerList.safeParse(data)
  return parsed.success ? parsed.data : undefined
}

/**
 * The dismissals in a stored text. Other pages, older releases and people can write there: what is unreadable was not
 * dismissed.
 */
export function dismissalsIn(text: string | undefined): Dismissals {
  return Object.fromEntries(
    Object.entries(objectIn(text)).flatMap(([uuid, kept]) => {
      const parsed = Dismissal.safeParse(kept)
      return parsed.success ? [[uuid, parsed.data]] : []
    }),
  )
}

function objectIn(text: string | undefined): object {
  try {
    return Object(JSON.parse(text ?? '{}'))
  } catch {
    // No JSON: whoever wrote it did not dismiss anything.
    return {}
  }
}

/**
 * What is worth keeping of the dismissals: those of banners that have been updated since are dropped (§4.3), and those
 * of banners that are no longer in the file, so that what is kept never outgrows the file.
 */
export function settledDismissals(banners: readonly Banner[], kept: Dismissals): Dismissals {
  return Object.fromEntries(
    banners.flatMap((banner) => {
      const dismissal = standing(banner, kept)
      return dismissal === undefined ? [] : [[banner.uuid, dismissal]]
    }),
  )
}

/**
 * The banners that an application shows: active, listing it, not dismissed, newest first, each once, and no more than
 * the maximum.
 */
export function shownBanners(
  banners: readonly Banner[],
  {
    app,
    dismissals,
    maximum = BANNERS_MAXIMUM,
  }: { app: BannerApp; dismissals: Dismissals; maximum?: number },
): readonly Banner[] {
  const seen = new Set<string>()
  return banners
    .filter(({ active, apps }) => active && apps.includes(app))
    .toSorted((one, other) => createdAt(other) - createdAt(one))
    .filter(({ uuid }) => seen.size < seen.add(uuid).size)
    .filter((banner) => !banner.dismissable || standing(banner, dismissals) === undefined)
    .slice(0, maximum)
}

/**
 * The dismissal of a banner. A browser's clock may be behind; a banner that was seen and dismissed would come back at
 * once, so it is never earlier than the update that was seen.
 */
export function dismissalOf(banner: Banner, now: number): Dismissals[string] {
  return { at: Math.max(now, banner.metadata.updatedAt ?? now) }
}

/** The dismissal of a banner that has not been updated since. */
function standing(
  { uuid, metadata }: Banner,
  dismissals: Dismissals,
): Dismissals[string] | undefined {
  const dismissal = Object.hasOwn(dismissals, uuid) ? dismissals[uuid] : undefined
  if (dismissal === undefined) return undefined
  return metadata.updatedAt !== undefined && metadata.updatedAt > dismissal.at
    ? undefined
    : dismissal
}

/** A banner that does not say when it was made is older than all that do. */
function createdAt({ metadata }: Banner): number {
  return metadata.createdAt ?? Number.MIN_SAFE_INTEGER
}
