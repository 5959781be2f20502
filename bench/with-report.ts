/**
 * Adds a report to earlier ones, each with its own header. A new measurement of a figure replaces earlier ones,
 * and an empty report is removed.
 */
export function withReport(earlier: string, report: string): string {
  const anew = new Set(rowsOf(report).map(named))
  const kept = earlier
    .split(/^(?=- Command: )/m)
    .map((each) =>
      each
        .split('\n')
        .filter((line) => !isRow(line) || !anew.has(named(line)))
        .join('\n')
        .trim(),
    )
    .filter((each) => rowsOf(each).length > 0)
  return [...kept, report].join('\n\n')
}

const rowsOf = (report: string) => report.split('\n').filter(isRow)

const isRow = (line: string) => /^\| (?!Figure; its baseline |--- )/.test(line)

/** The figure and its database: the first two cells. */
const named = (row: string) => row.split(' | ', 2).join(' | ')
