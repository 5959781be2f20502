const OLDER_BUILD = 'older build'

/**
 * Replaces the rows of figures that were measured again and appends new ones. Both texts are Markdown tables with the same
 * head; a row is identified by its figure and its database, the first two cells. A row measured before the day on which
 * the product last changed is marked: a later build can have another figure.
 */
export function updatedTable(earlier: string, measured: string, productChangedOn: string): string {
  const [head = '', rule = '', ...fresh] = measured.trim().split('\n')
  const rows = new Map(earlier.trim().split('\n').slice(2).map(withKey))
  for (const [key, row] of fresh.map(withKey)) rows.set(key, row)
  return [head, rule, ...[...rows.values()].map((row) => marked(row, productChangedOn))].join('\n')
}

const withKey = (row: string) => [row.split(' | ', 2).join(' | '), row] as const

/** The last cell begins with the date. */
const marked = (row: string, productChangedOn: string) =>
  row.replace(
    / \| (\d{4}-\d\d-\d\d)(, [^|,]+)(?:, [^|,]+)? \|$/,
    (_, date: string, rounds: string) =>
      ` | ${date}${rounds}${date < productChangedOn ? `, ${OLDER_BUILD}` : ''} |`,
  )
