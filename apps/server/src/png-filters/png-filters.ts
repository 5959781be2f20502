/** Reverses the row filters of PNG (PNG 9.2), which PDF uses too. */

/** The bytes of a row without its filter, and the bytes of a pixel, at least one. */
interface RowSizes {
  readonly row: number
  readonly pixel: number
}

/**
 * Each row begins with the type of its filter. The last row may be incomplete.
 *
 * @returns the rows without filters; undefined if a type is unknown or a row is longer than all bytes
 */
export function undoPngFilters(filtered: Buffer, { row, pixel }: RowSizes): Buffer | undefined {
  // Otherwise a few bytes could claim rows of gigabytes.
  if (row > filtered.length) return undefined
  const rows = Math.ceil(filtered.length / (row + 1))
  const bytes = Buffer.alloc(rows * row)
  for (let index = 0; index < rows; index += 1) {
    const from = index * (row + 1)
    const type = filtered[from] ?? 0
    if (type > 4) return undefined
    for (let column = 0; column < row; column += 1) {
      const at = index * row + column
      const left = column < pixel ? 0 : (bytes[at - pixel] ?? 0)
      const up = index === 0 ? 0 : (bytes[at - row] ?? 0)
      const corner = index === 0 || column < pixel ? 0 : (bytes[at - row - pixel] ?? 0)
      bytes[at] = (filtered[from + 1 + column] ?? 0) + predict(type, { left, up, corner })
    }
  }
  return bytes
}

interface Neighbors {
  readonly left: number
  readonly up: number
  readonly corner: number
}

/** The byte that a filter expects from its neighbors. */
function predict(type: number, { left, up, corner }: Neighbors): number {
  switch (type) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, corner)
    default:
      return 0
  }
}

function paeth(left: number, up: number, corner: number): number {
  const near = left + up - corner
  const toLeft = Math.abs(near - left)
  const toUp = Math.abs(near - up)
  const toCorner = Math.abs(near - corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
