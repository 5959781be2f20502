import { FlowRequest } from '@portico/contracts/flow-request'

/** The maximum length of a flow request's query, to which the login page can return (§5). */
const MAX_QUERY_LENGTH = 2000

/** Parameters with a comma-separated list. */
const LISTS = ['addOns', 'specialties']

/** Parameters that every page accepts to choose its brand. */
const PAGE_PARAMETERS = ['label', 'orgCode']

/** A flow request, or the rules that the query violates. */
export type ParsedFlowRequest =
  | { readonly request: FlowRequest }
  | { readonly violations: readonly string[] }

/**
 * Reads a flow request from a page's query. Anything unexpected is a violation, because the request decides where the user
 * is sent: unknown and repeated parameters, and values that do not exactly match the contract.
 */
export function parseFlowRequest(search: string): ParsedFlowRequest {
  if (search.length > MAX_QUERY_LENGTH) return { violations: ['The request is too long'] }
  const fields: Record<string, unknown> = {}
  const violations = new Set<string>()
  for (const [name, value] of new URLSearchParams(search)) {
    if (PAGE_PARAMETERS.includes(name)) continue
    if (!Object.hasOwn(FlowRequest.shape, name)) {
      // Not named, because violations are logged and the name may be personal data.
      violations.add('an unknown parameter')
      continue
    }
    if (Object.hasOwn(fields, name)) violations.add(`${name}: occurs more than once`)
    fields[name] = LISTS.includes(name) ? value.split(',') : value
    // Passports are found by their lower-case UUID.
    if (name === 'passportUuid') fields[name] = value.toLowerCase()
  }
  const parsed = FlowRequest.safeParse(fields)
  if (parsed.success && violations.size === 0) return { request: parsed.data }
  const issues = parsed.success ? [] : parsed.error.issues
  for (const { path, message } of issues) violations.add([path[0], message].join(': '))
  return { violations: [...violations] }
}
