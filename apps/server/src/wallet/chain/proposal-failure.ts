import * as z from 'zod/mini'

const Response = z.object({
  code: z.literal(0),
  events: z.array(
    z.object({
      type: z.string(),
      attributes: z.array(z.object({ key: z.string(), value: z.string() })),
    }),
  ),
})

/**
 * Detects a failed proposal. Groups act through proposals, and a transaction whose proposal fails to execute still has
 * code 0. Pages check the code (§5), so this returns a failure code.
 */
export function proposalFailure(
  response: unknown,
): { readonly codespace: string; readonly code: number; readonly raw_log: string } | undefined {
  const parsed = Response.safeParse(response)
  const executed = parsed.data?.events.filter(({ type }) => type === 'cosmos.group.v1.EventExec')
  for (const { attributes } of executed ?? []) {
    const attributeValues = new Map(attributes.map(({ key, value }) => [key, parseString(value)]))
    if (attributeValues.get('result') === 'PROPOSAL_EXECUTOR_RESULT_FAILURE') {
      return {
        codespace: 'portico',
        code: 1,
        raw_log: attributeValues.get('logs') ?? 'proposal failed',
      }
    }
  }
  return undefined
}

/** Event values are JSON strings. */
function parseString(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'string' ? parsed : value
  } catch {
    return value
  }
}
