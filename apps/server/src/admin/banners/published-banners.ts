/**
 * The banners that visitors see: the banner file, overlaid with operators' published banners. A published banner replaces
 * the file's banner with the same UUID. Schedule and audience are applied per request.
 */
import type { BannerContent } from '@portico/contracts/admin/banners'
import type { Clock } from '../../clock.ts'
import type { Stores } from '../../stores.ts'
import type { BannerVersion } from './banner-edits.store.ts'

/** A version's fields other than the operator's content. */
export interface StoredBanner extends BannerContent {
  readonly createdAt: number
  /** A later time shows the banner again to visitors who dismissed it. */
  readonly updatedAt: number
}

export interface PublishedBanners {
  /** Counts publications. */
  readonly version: () => number
  readonly all: () => ReadonlyMap<string, BannerVersion>
  /** Whether any banner is limited to some organizations. */
  readonly hasAudience: () => boolean
  /** The text of a banner file, overlaid with the published banners. */
  readonly over: (text: string, orgCode: string | undefined) => string
  /** Reloads the published banners if they have changed. */
  readonly refresh: () => Promise<void>
}

export async function openPublishedBanners({
  stores,
  clock,
}: {
  readonly stores: Pick<Stores, 'bannerEdits' | 'publishedData'>
  readonly clock: Clock
}): Promise<PublishedBanners> {
  let current = -1
  let published: ReadonlyMap<string, BannerVersion> = new Map()
  let banners: readonly { readonly id: string; readonly banner: StoredBanner }[] = []

  async function refresh(): Promise<void> {
    const { banners: version } = await stores.publishedData.getVersions()
    if (version === current) return
    const rows = await stores.bannerEdits.listPublished()
    published = new Map(rows.map((row) => [row.id, row]))
    banners = rows.map((row) => ({ id: row.id, banner: parseStored(row.content) }))
    current = version
  }

  await refresh()
  return {
    version: () => current,
    all: () => published,
    hasAudience: () => banners.some(({ banner }) => banner.organizationCodes !== null),
    over(text, orgCode) {
      if (banners.length === 0) return text
      const at = clock()
      // Validated when the banner file was read.
      const inFile = JSON.parse(text) as readonly { readonly uuid: string }[]
      return JSON.stringify([
        ...inFile.filter(({ uuid }) => !published.has(uuid)),
        ...banners.flatMap(({ id, banner }) =>
          isShownAt(banner, at) && isFor(banner, orgCode) ? [fileBanner(id, banner)] : [],
        ),
      ])
    },
    refresh,
  }
}

/** Only validated banners are stored. */
export function parseStored(content: string): StoredBanner {
  return JSON.parse(content) as StoredBanner
}

export function isShownAt({ startsAt, endsAt }: BannerContent, at: number): boolean {
  return (startsAt ?? 0) <= at && at < (endsAt ?? Number.POSITIVE_INFINITY)
}

function isFor({ organizationCodes }: BannerContent, orgCode: string | undefined): boolean {
  return (
    organizationCodes === null || (orgCode !== undefined && organizationCodes.includes(orgCode))
  )
}

/** A banner in the format of the banner file. */
function fileBanner(uuid: string, { message, apps, variant, dismissable, ...times }: StoredBanner) {
  const { createdAt, updatedAt } = times
  return {
    uuid,
    message,
    apps,
    variant,
    active: true,
    dismissable,
    metadata: { createdAt, updatedAt },
  }
}
