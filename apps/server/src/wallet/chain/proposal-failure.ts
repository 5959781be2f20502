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
 * A group acts by a proposal, and a proposal that could not be carried out leaves its transaction with code 0: the chain
 * did what it was asked, which was to try. Pages look at the code (§5), so it is told as the failure it is.
 */
export function proposalFailure(
  response: unknown,
): { readonly codespace: string; readonly code: number; readonly raw_log: string } | undefined {
  const parsed = Response.safeParse(response)
  const executed = parsed.data?.events.filter(({ type }) => type === 'cosmos.group.v1.EventExec')
  for (const { attributes } of executed ?? []) {
    const told = new Map(attributes.map(({ key, value }) => [key, unquoted(value)]))
    if (told.get('result') === 'PROPOSAL_EXECUTOR_RESULT_FAILURE') {
      return { codespace: 'portico', code: 1, raw_log: told.get('logs') ?? 'proposal failed' }
    }
  }
  return undefined
}

/** The values of such events are JSON texts. */
function unquoted(value: string): string {
  try {
    const read: unknown = JSON.parse(value)
    return typeof read === 'string' ? read : value
  } catch {
    return value
  }
}
