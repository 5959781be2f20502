/** Where the project says which sentences of the specification hold, and what closes each threat. */
const COVERAGE = 'docs/coverage.md'
const SECURITY = 'docs/security.md'

const PLACE = /`((?:apps|packages|tests|config|tools)\/[^`\n]+)`/g
const PROOF = /`([^`\n]+\.test\.tsx?)`((?:,? "[^"\n]+")+)/g
const QUOTED = /"([^"\n]+)"/g
const HEADING = /\| Proof \|$|^\|[-| ]+\|$/

/** The string that a call of `test` begins with: also of `test.each(…)`, `test.runIf(…).concurrent` and `describe`. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\)|`)(?:\s*\.concurrent)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/**
 * The claims of these documents that do not hold: files that do not exist, titles that no test has, and rows of
 * docs/coverage.md without a test. `texts` are the repository's files by their paths.
 */
export function coverageFaults(texts: ReadonlyMap<string, string>): string[] {
  const cited = [COVERAGE, SECURITY].flatMap((document) => citationFaults(texts, document))
  const bare = (texts.get(COVERAGE) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|') && !HEADING.test(line) && !line.match(PROOF))
    .map((row) => `${COVERAGE} gives no proof in the row ${row}`)
  return [...new Set([...cited, ...bare])]
}

function citationFaults(texts: ReadonlyMap<string, string>, document: string): string[] {
  const text = texts.get(document) ?? ''
  const paths = [...texts.keys()]
  const exists = (place: string) =>
    paths.some((path) => path === place || path.startsWith(`${place}/`))
  const absent = [...text.matchAll(PLACE)]
    .filter(([, place = '']) => !exists(place))
    .map(([, place]) => `${document} names ${place}, which is not there`)
  const proofs = [...text.matchAll(PROOF)]
  const files = new Set(proofs.map(([, file = '']) => file))
  const titlesOf = new Map([...files].map((file) => [file, titlesIn(texts.get(file) ?? '')]))
  const unproven = proofs.flatMap(([, file = '', quoted = '']) => {
    const titles = titlesOf.get(file) ?? []
    return [...quoted.matchAll(QUOTED)]
      .filter(([, title = '']) => !titles.some((whole) => whole.includes(title)))
      .map(([, title]) => `${document} names a test "${title}", which ${file} does not have`)
  })
  return [...absent, ...unproven]
}

/** Titles stand in sources with their quotes escaped, or not. */
function titlesIn(source: string): string[] {
  return [...source.matchAll(TITLE)].map(([, , title = '']) => title.replaceAll('\\', ''))
}
