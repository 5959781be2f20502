import { FlowRequest } from '@portico/contracts/flow-request'

/** The longest query of a flow request. */
const QUERY_LENGTH_MAXIMUM = 8192

/** Parameters with a list, separated by commas. */
const LISTS = ['addOns', 'specialties']

/** A flow request, or the rules that the query violates. */
export type ParsedFlowRequest =
  | { readonly request: FlowRequest }
  | { readonly violations: readonly string[] }

/**
 * Reads a flow request from the query of a page. Everything unexpected is a violation, because the request decides where
 * the user is sent: unknown and repeated parameters, and values that are not exactly those of the contract.
 */
export function parseFlowRequest(search: string): ParsedFlowRequest {
  if (search.length > QUERY_LENGTH_MAXIMUM) return { violations: ['The request is too long'] }
  const fields: Record<string, unknown> = {}
  const violations: string[] = []
  for (const [name, value] of new URLSearchParams(search)) {
    if (!Object.hasOwn(FlowRequest.shape, name)) violations.push(`${name}: is not a parameter`)
    else if (Object.hasOwn(fields, name)) violations.push(`${name}: occurs more than once`)
    fields[name] = LISTS.includes(name) ? value.split(',') : value
  }
  const parsed = FlowRequest.safeParse(fields)
  if (!parsed.success) {
    violations.push(
      ...parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')),
    )
  }
  return parsed.success && violations.length === 0 ? { request: parsed.data } : { violations }
}
