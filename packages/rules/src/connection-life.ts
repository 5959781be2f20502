const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The remaining time of a connection as text, rounded down; `undefined` after it has expired. */
export function connectionLife(expiresAt: number, now: number): string | undefined {
  const left = expiresAt - now
  if (left <= 0) return undefined
  if (left < MINUTE_MS) return 'less than a minute'
  return left < HOUR_MS
    ? formatCount(left / MINUTE_MS, 'minute')
    : formatCount(left / HOUR_MS, 'hour')
}

function formatCount(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
