/** Decides which announcements are shown and how they are dismissed (§4.3). */
import {
  type Banner,
  type BannerApp,
  BannerList,
  Dismissal,
  type Dismissals,
} from '@portico/contracts/banner'
import { MAX_BANNERS } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'

/** Parses untrusted data as a list of banners; `undefined` if it is invalid (§5). */
export function bannersIn(data: unknown): readonly Banner[] | undefined {
  const parsed = BannerList.safeParse(data)
  return parsed.success ? parsed.data : undefined
}

/**
 * Parses stored dismissals. Other pages, older releases and users can write to that storage key, so invalid entries are
 * ignored.
 */
export function dismissalsIn(text: string | undefined): Dismissals {
  return Object.fromEntries(
    Object.entries(parseJson(text) ?? {}).flatMap(([uuid, stored]) => {
      const parsed = Dismissal.safeParse(stored)
      return parsed.success ? [[uuid, parsed.data]] : []
    }),
  )
}

/**
 * Removes stale dismissals: those of banners that have been updated since (§4.3), and those
 * of banners that are no longer in the file, so that the stored data does not grow without limit.
 */
export function currentDismissals(banners: readonly Banner[], stored: Dismissals): Dismissals {
  return Object.fromEntries(
    banners.flatMap((banner) => {
      const dismissal = currentDismissal(banner, stored)
      return dismissal === undefined ? [] : [[banner.uuid, dismissal]]
    }),
  )
}

/**
 * The banners that an application shows: active, listing the application, not dismissed, newest first, without
 * duplicates, and at most the maximum.
 */
export function shownBanners(
  banners: readonly Banner[],
  {
    app,
    dismissals,
    maximum = MAX_BANNERS,
  }: { app: BannerApp; dismissals: Dismissals; maximum?: number },
): readonly Banner[] {
  const seen = new Set<string>()
  return banners
    .filter(({ active, apps }) => active && apps.includes(app))
    .toSorted((one, other) => createdAt(other) - createdAt(one))
    .filter(({ uuid }) => seen.size < seen.add(uuid).size)
    .filter((banner) => !banner.dismissable || currentDismissal(banner, dismissals) === undefined)
    .slice(0, maximum)
}

/**
 * The dismissal of a banner. If the browser's clock is behind, the dismissed banner would come back
 * immediately, so the time is never earlier than the banner's last update.
 */
export function dismissalOf(banner: Banner, now: number): Dismissals[string] {
  return { at: Math.max(now, banner.metadata.updatedAt ?? now) }
}

/** A banner's dismissal, unless the banner has been updated since. */
function currentDismissal(
  { uuid, metadata }: Banner,
  dismissals: Dismissals,
): Dismissals[string] | undefined {
  const dismissal = Object.hasOwn(dismissals, uuid) ? dismissals[uuid] : undefined
  if (dismissal === undefined) return undefined
  return metadata.updatedAt !== undefined && metadata.updatedAt > dismissal.at
    ? undefined
    : dismissal
}

/** A banner without a creation time is older than all others. */
function createdAt({ metadata }: Banner): number {
  return metadata.createdAt ?? Number.MIN_SAFE_INTEGER
}
