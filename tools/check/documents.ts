import path from 'node:path'
import { anchorsIn } from './heading-anchors.ts'
import { titlesIn } from './test-titles.ts'

type Texts = ReadonlyMap<string, string>

/** The changelog names files that no longer exist, and the source of the coverage page is checked as docs/coverage.md. */
const UNCHECKED = /^CHANGELOG\.md$|^tools\/generate\//
const FULL_PATH = /`((?:apps|bench|docs|examples|packages|tests|tools)\/[^`\s]+)`/g
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g
/** A link to a section, as the file, which is empty for the same page, and the anchor. */
const SECTION_LINK = /\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g
/** The short names of docs/coverage.md, each followed by paths below its folder. */
const SHORT_PATHS =
  /\b(auth|portal|server|shell) (`[^`\n]+`(?:, (?!`(?:apps|config|packages|tests|tools)\/)`[^`\n]+`)*)/g
const SHORT_NAMES = {
  auth: 'apps/auth/src',
  portal: 'apps/portal/src',
  server: 'apps/server/src',
  shell: 'packages/shell/src',
} as const
const README_OF_WORKSPACE = /^((?:apps|packages|examples)\/[^/]+)\/README\.md$/
const EXPORT = /^\| (`\.\/[^|]+) \|/gm
const FILE_NAME = /`([\w./-]+\.(?:ts|tsx|mjs|css|json)|[a-z][\w-]*\/)`/g
const CITATION = /`([^`\n]+\.test\.tsx?)`((?:,? "[^"\n]+")+)/g
const QUOTED = /"([^"\n]+)"/g
const BACKTICKED = /`([^`\n]+)`/g

/** Files, folders, exports and tests that a document names but that do not exist. */
export function documentErrors(texts: Texts): string[] {
  const documents = [...texts].filter(([file]) => file.endsWith('.md') && !UNCHECKED.test(file))
  const errors = documents.flatMap(([file, text]) => [
    ...missing(texts, file, all(text, FULL_PATH)),
    ...missing(
      texts,
      file,
      all(text, LINK).map((link) => path.posix.join(path.posix.dirname(file), link)),
    ),
    ...sectionErrors(texts, file, text),
    ...citationErrors(texts, file, text),
    ...(file === 'docs/coverage.md' ? missing(texts, file, shortPaths(text)) : []),
    ...readmeErrors(texts, file, text),
  ])
  return [...new Set(errors)]
}

function missing(texts: Texts, document: string, places: readonly string[]): string[] {
  return places
    .map((place) => place.replace(/\/$/, ''))
    .filter((place) => !exists(texts, place))
    .map((place) => `${document} names ${place}, which does not exist`)
}

function exists(texts: Texts, place: string): boolean {
  return [...texts.keys()].some((file) => file === place || file.startsWith(`${place}/`))
}

function shortPaths(text: string): string[] {
  return [...text.matchAll(SHORT_PATHS)].flatMap(([, name = '', places = '']) =>
    // The expression matches only these names.
    all(places, BACKTICKED).map(
      (place) => `${SHORT_NAMES[name as keyof typeof SHORT_NAMES]}/${place}`,
    ),
  )
}

/** The exports that a workspace's README lists, and the files and folders that it names. */
function readmeErrors(texts: Texts, document: string, text: string): string[] {
  const workspace = README_OF_WORKSPACE.exec(document)?.[1]
  if (workspace === undefined) return []
  const { exports = {} } = JSON.parse(texts.get(`${workspace}/package.json`) ?? '{}') as {
    readonly exports?: object
  }
  const unknownExports = all(text, EXPORT)
    .flatMap((cell) => all(cell, BACKTICKED))
    .filter((name) => !(name in exports))
    .map((name) => `${document} names the export ${name}, which package.json does not have`)
  const inside = [...texts.keys()].filter((file) => file.startsWith(`${workspace}/`))
  const unknownFiles = all(text, FILE_NAME)
    .filter((name) => !exists(texts, name.replace(/\/$/, '')))
    .filter((name) => !inside.some((file) => `${file}/`.includes(`/${name.replace(/\/$/, '')}/`)))
    .map((name) => `${document} names ${name}, which ${workspace} does not have`)
  return [...unknownExports, ...unknownFiles]
}

/** Links to sections that do not exist on their page. */
function sectionErrors(texts: Texts, document: string, text: string): string[] {
  return [...text.matchAll(SECTION_LINK)].flatMap(([, link = '', anchor = '']) => {
    const page = link === '' ? document : path.posix.join(path.posix.dirname(document), link)
    const target = texts.get(page)
    return target === undefined || !page.endsWith('.md') || anchorsIn(target).has(anchor)
      ? []
      : [`${document} links to ${page}#${anchor}, a section that the page does not have`]
  })
}

/** Quoted test titles that do not exist in their file. */
function citationErrors(texts: Texts, document: string, text: string): string[] {
  const citations = [...text.matchAll(CITATION)]
  const files = new Set(citations.map(([, file = '']) => file))
  const titlesOf = new Map([...files].map((file) => [file, titlesIn(texts.get(file) ?? '')]))
  return citations.flatMap(([, file = '', quoted = '']) => {
    const titles = titlesOf.get(file) ?? []
    return all(quoted, QUOTED)
      .filter((title) => !titles.some((whole) => whole.includes(title)))
      .map((title) => `${document} names a test "${title}", which ${file} does not have`)
  })
}

/** The first group of every match. */
function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, group = '']) => group)
}
