/**
 * The filters of SCIM 2.0 (RFC 7644 3.4.2.2) that directories send: `eq` comparisons joined by `and`. Attribute names and
 * operators ignore case.
 */

/** One comparison. The attribute is in lower case, with its sub-attribute after a dot. */
export interface Comparison {
  readonly attribute: string
  readonly value: string | boolean
}

export type ResourceType = 'User' | 'Group'

/** An unsupported filter, such as one with `or`, `co` or grouping. The response is 400 with `scimType` `invalidFilter`. */
export class InvalidFilter extends Error {}

const MAX_LENGTH = 1024
/**
 * An attribute may be prefixed with the schema of its resource, whose colons and dots do not separate sub-attributes. An
 * extension may have an attribute of the same name, so its prefix stays.
 */
const CORE_SCHEMA: Readonly<Record<ResourceType, RegExp>> = {
  User: /^urn:ietf:params:scim:schemas:core:2\.0:User:(?=.)/i,
  Group: /^urn:ietf:params:scim:schemas:core:2\.0:Group:(?=.)/i,
}
const STRING = String.raw`"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"`
/**
 * One address of each person is stored: that of work, which is the primary one. `emails[type eq "work"].value` is therefore
 * `emails.value`, and so is `emails[type eq "work" and value eq "…"]`.
 */
const CONDITION_OF_ADDRESS = String.raw`(?:type\s+eq\s+"work"|primary\s+eq\s+(?:true|"true"))`
const STORED_ADDRESS = new RegExp(
  String.raw`^(\s*(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?emails)\[\s*${CONDITION_OF_ADDRESS}(?:\s+and\s+${CONDITION_OF_ADDRESS})?\s*\](?=\.value\s)`,
  'i',
)
const ADDRESS_BY_VALUE = new RegExp(
  String.raw`^(\s*(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?emails)\[\s*(?:${CONDITION_OF_ADDRESS}\s+and\s+)*(value\s+eq\s+${STRING})(?:\s+and\s+${CONDITION_OF_ADDRESS})*\s*\](?=\s|$)`,
  'iu',
)
const COMPARISON = new RegExp(
  String.raw`^\s*([a-z][\w:.$-]*)\s+eq\s+(${STRING}|true|false)(?:\s+and\s+|\s*$)`,
  'iu',
)

/** @throws InvalidFilter - with a message for the directory's administrator */
export function parseFilter(text: string, type: ResourceType): Comparison[] {
  if (text.length > MAX_LENGTH) throw new InvalidFilter('The filter is too long.')
  const comparisons: Comparison[] = []
  let rest = text
  do {
    rest = rest.replace(STORED_ADDRESS, '$1').replace(ADDRESS_BY_VALUE, '$1.$2')
    const [found, attribute, literal] = COMPARISON.exec(rest) ?? []
    if (found === undefined || attribute === undefined || literal === undefined) {
      throw new InvalidFilter(
        `Only comparisons by eq, joined by and, are supported; found: ${rest.slice(0, 80)}`,
      )
    }
    const value = valueOf(literal)
    if (value.toString().includes('\0')) {
      throw new InvalidFilter('The filter contains a null character.')
    }
    comparisons.push({ attribute: attributeName(attribute, type), value })
    rest = rest.slice(found.length)
    if (rest === '' && /and\s+$/i.test(found)) {
      throw new InvalidFilter('The filter ends with and.')
    }
  } while (rest !== '')
  return comparisons
}

/** An attribute's name without the schema of its resource, in lower case. The schema of an extension stays. */
export function attributeName(path: string, type: ResourceType): string {
  return withoutCoreSchema(path, type).toLowerCase()
}

export function withoutCoreSchema(path: string, type: ResourceType): string {
  return path.replace(CORE_SCHEMA[type], '')
}

function valueOf(literal: string): string | boolean {
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true'
  return JSON.parse(literal) as string // The expression accepts only JSON strings.
}
