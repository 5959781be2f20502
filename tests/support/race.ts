import { ApiError } from '@portico/client/api-error'

/** Counts simultaneous calls by outcome: an error code, or `answered`. */
export async function outcomes(
  calls: readonly Promise<unknown>[],
): Promise<Readonly<Record<string, number>>> {
  const ends = await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'answered',
        (error: unknown) =>
          error instanceof ApiError ? (error.reason ?? `${error.status}`) : String(error),
      ),
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(ends, (end) => end)].map(([end, all]) => [end, all.length]),
  )
}
