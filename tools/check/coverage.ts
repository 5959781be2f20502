import { titlesIn } from './test-titles.ts'

/** The documents with proofs: implemented sentences of the specification, and closed threats. */
const COVERAGE = 'docs/coverage.md'
const SECURITY = 'docs/security.md'

const PLACE = /`((?:apps|packages|tests|config|tools)\/[^`\n]+)`/g
const PROOF = /`([^`\n]+\.test\.tsx?)`((?:,? "[^"\n]+")+)/g
const QUOTED = /"([^"\n]+)"/g
/** Missing files and unknown test titles in these documents. `texts` maps the repository's paths to contents. */
export function coverageErrors(texts: ReadonlyMap<string, string>): string[] {
  return [...new Set([COVERAGE, SECURITY].flatMap((document) => citationErrors(texts, document)))]
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
