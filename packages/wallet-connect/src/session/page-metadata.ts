import type { PeerMeta } from '../protocol/handshake.ts'

const NAMES = ['name', 'og:site_name', 'og:title', 'twitter:title']
const DESCRIPTIONS = ['description', 'og:description', 'twitter:description', 'keywords']

/** How a page introduces itself (protocol 6): by its meta tags, title, origin and icons. */
export function introduction(
  page: Pick<Document, 'querySelectorAll' | 'title'> | undefined,
  href: string,
): PeerMeta {
  const { origin } = new URL(href)
  if (page === undefined) return { name: '', description: '', url: origin, icons: [] }
  const metas = [...page.querySelectorAll('meta')]
  const said = (names: readonly string[]) =>
    metas.find((meta) =>
      ['itemprop', 'property', 'name'].some((attribute) =>
        names.includes(meta.getAttribute(attribute) ?? ''),
      ),
    )?.content
  const icons = [...page.querySelectorAll('link')]
    .filter((link) => link.rel.toLowerCase().includes('icon') && link.hasAttribute('href'))
    .map((link) => link.href)
  return {
    name: said(NAMES) || page.title,
    description: said(DESCRIPTIONS) ?? '',
    url: origin,
    icons,
  }
}
