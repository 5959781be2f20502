/** Percentiles of response times, in milliseconds. */
export type Spread = { readonly p50: number; readonly p95: number; readonly p99: number }

/** The percentiles of measured times. */
export function spread(times: readonly number[]): Spread {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
