/** Where the project says which sentences of the specification hold. */
const DOCUMENT = 'docs/coverage.md'

const PLACE = /`((?:apps|packages|tests|config|tools)\/[^`\n]+)`/g
const PROOF = /`([^`\n]+\.test\.tsx?)` "([^"\n]+)"/g
const HEADING = /\| Proof \|$|^\|[-| ]+\|$/

/**
 * The claims of docs/coverage.md that do not hold: places that are not there, titles that no test has, rows without a
 * proof. `texts` are the repository's files by their paths.
 */
export function coverageFaults(texts: ReadonlyMap<string, string>): string[] {
  const document = texts.get(DOCUMENT) ?? ''
  const paths = [...texts.keys()]
  const isThere = (place: string) =>
    paths.some((path) => path === place || path.startsWith(`${place}/`))
  const absent = [...document.matchAll(PLACE)]
    .filter(([, place = '']) => !isThere(place))
    .map(([, place]) => `${DOCUMENT} names ${place}, which is not there`)
  const unproven = [...document.matchAll(PROOF)]
    .filter(([, file = '', title = '']) => !holds(texts.get(file), title))
    .map(([, file, title]) => `${DOCUMENT} names a test "${title}", which ${file} does not have`)
  const bare = document
    .split('\n')
    .filter((line) => line.startsWith('|') && !HEADING.test(line) && !line.match(PROOF))
    .map((row) => `${DOCUMENT} gives no proof in the row ${row}`)
  return [...new Set([...absent, ...unproven, ...bare])]
}

/** Titles stand in sources with their quotes escaped, or not. */
function holds(source: string | undefined, title: string): boolean {
  return source?.replaceAll('\\', '').includes(title) ?? false
}
