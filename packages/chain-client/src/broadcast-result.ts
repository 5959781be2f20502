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

const Attributes = z.array(z.object({ key: z.string(), value: z.string() }))
const Event = z.union([
  z.object({ type: z.string(), attributes: Attributes }),
  z.pipe(
    z.object({ type: z.string(), attributesList: Attributes }),
    z.transform(({ type, attributesList }) => ({ type, attributes: attributesList })),
  ),
])
const Response = z.union([
  z.object({ events: z.array(Event) }),
  z.pipe(
    z.object({ eventsList: z.array(Event) }),
    z.transform(({ eventsList }) => ({ events: eventsList })),
  ),
])

/** The attributes of the events of a type in a transaction, in a node's or the pages' format. */
export function eventAttributes(
  response: unknown,
  type: string,
): readonly ReadonlyMap<string, string>[] {
  const parsed = Response.safeParse(response)
  return (parsed.data?.events ?? [])
    .filter((event) => event.type === type)
    .map(({ attributes }) => new Map(attributes.map(({ key, value }) => [key, parseString(value)])))
}

/**
 * Detects a failed proposal. Groups act through proposals, and if one fails to execute, its transaction still has code 0.
 * Pages check the code (§5), so this returns a failure code.
 */
export function proposalFailure(
  response: Readonly<Record<string, unknown>>,
): { readonly codespace: string; readonly code: number; readonly raw_log: string } | undefined {
  if (response['code'] !== 0) return undefined
  const [failed] = failedExecutions(response)
  return failed && { codespace: 'portico', code: 1, raw_log: failed.log }
}

/** The proposals that a transaction executed without success. */
export function failedExecutions(response: unknown): readonly FailedProposal[] {
  return eventAttributes(response, 'cosmos.group.v1.EventExec')
    .filter((event) => event.get('result') === 'PROPOSAL_EXECUTOR_RESULT_FAILURE')
    .map((event) => ({
      id: event.get('proposal_id') ?? '',
      log: event.get('logs') ?? 'proposal failed',
    }))
}

/** A proposal whose execution fails, and the node's reason. */
export interface FailedProposal {
  readonly id: string
  readonly log: string
}

/** Event values are JSON strings. */
function parseString(value: string): string {
  const parsed = parseJson(value)
  return typeof parsed === 'string' ? parsed : value
}
