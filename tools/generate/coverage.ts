const QUOTED = /"([^"\n]+)"/g
const RULE = /^\|[-| ]+\|$/
/** A fragment that occurs in several files does not identify a test. */
const MAX_FILES = 3

/**
 * Replaces the test titles quoted in the last column of each row by the files and full titles of those tests. A quote is
 * part of a title, long enough to identify it.
 *
 * @param titles - the test titles by file
 */
export function coverageOf(
  source: string,
  titles: ReadonlyMap<string, readonly string[]>,
): { readonly text: string; readonly errors: readonly string[] } {
  const errors: string[] = []

  function testsWith(fragment: string): string[] {
    const found = [...titles].flatMap(([file, titlesOfFile]) =>
      titlesOfFile.filter((title) => title.includes(fragment)).map((title) => ({ file, title })),
    )
    const files = new Set(found.map(({ file }) => file))
    if (files.size === 0) errors.push(`no test title contains "${fragment}"`)
    if (files.size > MAX_FILES) errors.push(`too many test titles contain "${fragment}"`)
    return found.map(({ file, title }) => `\`${file}\` "${title.replaceAll('|', '\\|')}"`)
  }

  const lines = source.split('\n').map((line, index, all) => {
    const isHead = RULE.test(line) || RULE.test(all[index + 1] ?? '')
    if (!line.startsWith('|') || isHead) return line
    const proof = line.lastIndexOf('| ', line.length - 2)
    const fragments = [...line.slice(proof).matchAll(QUOTED)].map(([, fragment = '']) => fragment)
    if (fragments.length === 0) errors.push(`no test in the row ${line}`)
    const tests = new Set(fragments.flatMap(testsWith))
    return `${line.slice(0, proof)}| ${[...tests].join('; ')} |`
  })
  return { text: lines.join('\n'), errors }
}
