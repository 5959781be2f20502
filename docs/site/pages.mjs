import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

/** The pages of a folder, without suffix: its Markdown files, and the README of each folder in it. */
export function pagesIn(folder) {
  return readdirSync(path.join(ROOT, folder))
    .map((name) => `${folder}/${name.endsWith('.md') ? name.slice(0, -3) : `${name}/README`}`)
    .filter((page) => existsSync(path.join(ROOT, `${page}.md`)))
    .map((page) => ({ path: page, title: titleOf(page) }))
}

/** The first heading of a page. */
export function titleOf(page) {
  const text = readFileSync(path.join(ROOT, `${page}.md`), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1] ?? page
}

/** The pages of a folder with their addresses, for a list of links. */
export function linkedPages(folder) {
  const base = process.env.DOCS_BASE ?? '/'
  return pagesIn(folder).map(({ title, path }) => ({ title, link: `${base}${path}.html` }))
}
