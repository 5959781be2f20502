/** The first string argument of `test`, `test.each(…)`, `test.runIf(…).concurrent` and `describe`. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\)|`)(?:\s*\.concurrent)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/** The test titles in a source file. Sources may escape quotes. */
export function titlesIn(source: string): string[] {
  return [...source.matchAll(TITLE)].map(([, , title = '']) => title.replaceAll('\\', ''))
}
