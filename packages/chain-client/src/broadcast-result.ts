import { parseJson } from '@portico/contracts/parse-json'
import * as z from 'zod/mini'

/**
 * Converts a node's response to the format for pages (protocol 9.3): `raw_log` becomes `rawLog`, and the names of
 * arrays get the suffix `List`.
 */
export function toPageFormat(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return Array.isArray(value)
        ? [`${camel}List`, value.map(convertNested)]
        : [camel, convertNested(value)]
    }),
  )
}

function convertNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertNested)
  if (typeof value !== 'object' || value === null) return value
  return toPageFormat({ ...value })
}

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
  const parsed = parseJson(value)
  return typeof parsed === 'string' ? parsed : value
}
