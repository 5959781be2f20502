/** The documents with proofs: implemented sentences of the specification, and closed threats. */
const COVERAGE = 'docs/coverage.md'
const SECURITY = 'docs/security.md'

const PLACE = /`((?:apps|packages|tests|config|tools)\/[^`\n]+)`/g
const PROOF = /`([^`\n]+\.test\.tsx?)`((?:,? "[^"\n]+")+)/g
const QUOTED = /"([^"\n]+)"/g
const HEADING = /\| Proof \|$|^\|[-| ]+\|$/

/** The first string argument of `test`, `test.each(…)`, `test.runIf(…).concurrent` and `describe`. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\)|`)(?:\s*\.concurrent)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/**
 * Errors in these documents: missing files, unknown test titles, and rows of
 * docs/coverage.md without a test. `texts` maps the repository's paths to contents.
 */
export function coverageErrors(texts: ReadonlyMap<string, string>): string[] {
  const cited = [COVERAGE, SECURITY].flatMap((document) => citationErrors(texts, document))
  const bare = (texts.get(COVERAGE) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|') && !HEADING.test(line) && !line.match(PROOF))
    .map((row) => `${COVERAGE} gives no proof in the row ${row}`)
  return [...new Set([...cited, ...bare])]
}

function citationErrors(texts: ReadonlyMap<string, string>, document: string): string[] {
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

/** Titles in sources may have escaped quotes. */
function titlesIn(source: string): string[] {
  return [...source.matchAll(TITLE)].map(([, , title = '']) => title.replaceAll('\\', ''))
}
