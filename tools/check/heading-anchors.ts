import { headingAnchor } from '../../docs/site/heading-anchor.mjs'

/** The anchors of a Markdown page: its headings and elements with an id. */
export function anchorsIn(markdown: string): Set<string> {
  const text = markdown.replace(/^(```+|~~~+)[^]*?^\1/gm, '')
  const anchors = new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id))
  const counts = new Map<string, number>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = headingAnchor(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`)
  }
  return anchors
}
