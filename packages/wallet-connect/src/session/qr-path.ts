/** The dark modules of a QR code as an SVG path, one unit per module. */
export function qrPath(modules: readonly (readonly boolean[])[]): string {
  return modules
    .flatMap((row, y) => runs(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
    .join('')
}

/** The runs of dark modules in a row. */
function runs(row: readonly boolean[]): [x: number, width: number][] {
  const result: [number, number][] = []
  row.forEach((dark, x) => {
    const last = result.at(-1)
    if (!dark) return
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1
    else result.push([x, 1])
  })
  return result
}
