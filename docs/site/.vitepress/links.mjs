import { existsSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../pages.mjs'

/** Where source files are, for example https://git.example/portico/blob/main. Without it, links to them are plain text. */
const SOURCE_URL = process.env.DOCS_SOURCE_URL
/** Folders and files that are at another address on the site. */
const MOVED = {
  'README.md': '/',
  'docs/decisions': '/docs/decisions/',
  'docs/flows': '/docs/flows/',
}

/** A markdown-it plugin for links that are right in the repository and would lead nowhere on the site. */
export function resolveLinks(markdown) {
  markdown.core.ruler.push('resolve-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let openIsPlain = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = addressOf(token.attrGet('href'), env.relativePath)
          openIsPlain = href === undefined
          if (href !== undefined) token.attrSet('href', href)
        }
        if (openIsPlain && token.type.startsWith('link_')) {
          if (token.type === 'link_close') openIsPlain = false
          token.type = 'text'
          token.content = ''
        }
      }
    }
  })
}

/** The address of a link on the site, or undefined if it has none. */
function addressOf(href, page) {
  if (/^(?:[a-z]+:|[/#])/.test(href)) return href
  const [, file, hash = ''] = /^([^#]*)(#.*)?$/.exec(href)
  const place = path.posix.join(path.posix.dirname(page), file).replace(/\/$/, '')
  if (MOVED[place] !== undefined) return `${MOVED[place]}${hash}`
  // A page that does not exist stays a link, so that the build reports it.
  if (place.endsWith('.md') || !existsSync(path.join(ROOT, place))) return href
  return SOURCE_URL === undefined ? undefined : `${SOURCE_URL}/${place}${hash}`
}
