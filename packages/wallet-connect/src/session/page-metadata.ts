import type { PeerMeta } from '../protocol/handshake.ts'

const NAMES = ['name', 'og:site_name', 'og:title', 'twitter:title']
const DESCRIPTIONS = ['description', 'og:description', 'twitter:description', 'keywords']

/** The page's metadata for the wallet (protocol 6): from its meta tags, title, origin and icons. */
export function pageMetadata(
  page: Pick<Document, 'querySelectorAll' | 'title'> | undefined,
  href: string,
): PeerMeta {
  const { origin } = new URL(href)
  if (page === undefined) return { name: '', description: '', url: origin, icons: [] }
  const metas = [...page.querySelectorAll('meta')]
  const metaContent = (names: readonly string[]) =>
    metas.find((meta) =>
      ['itemprop', 'property', 'name'].some((attribute) =>
        names.includes(meta.getAttribute(attribute) ?? ''),
      ),
    )?.content
  const icons = [...page.querySelectorAll('link')]
    .filter((link) => link.rel.toLowerCase().includes('icon') && link.hasAttribute('href'))
    .map((link) => link.href)
  return {
    name: metaContent(NAMES) || page.title,
    description: metaContent(DESCRIPTIONS) ?? '',
    url: origin,
    icons,
  }
}
