/**
 * Replaces the rows of figures that were measured again and appends new ones. Both texts are Markdown tables with the same
 * head; a row is identified by its figure and its database, the first two cells.
 */
export function updatedTable(earlier: string, measured: string): string {
  const [head = '', rule = '', ...fresh] = measured.trim().split('\n')
  const rows = new Map(earlier.trim().split('\n').slice(2).map(withKey))
  for (const [key, row] of fresh.map(withKey)) rows.set(key, row)
  return [head, rule, ...rows.values()].join('\n')
}

const withKey = (row: string) => [row.split(' | ', 2).join(' | '), row] as const
