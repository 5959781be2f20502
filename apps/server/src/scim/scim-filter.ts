/**
 * The filters of SCIM 2.0 (RFC 7644 3.4.2.2) that directories send: `eq` comparisons joined by `and`. Attribute names and
 * operators ignore case.
 */

/** One comparison. The attribute is in lower case, with its sub-attribute after a dot. */
export interface Comparison {
  readonly attribute: string
  readonly value: string | boolean
}

/** An unsupported filter, such as one with `or`, `co` or grouping. The response is 400 with `scimType` `invalidFilter`. */
export class InvalidFilter extends Error {}

const MAX_LENGTH = 1024
/** An attribute may be prefixed with its schema, whose colons and dots do not separate sub-attributes. */
const SCHEMA = /^urn:[a-z0-9:.]+:(?=[a-z])/i
/** `emails[type eq "work"].value` is `emails.value`: one address of each person is stored. */
const WORK_ADDRESS = /^(\s*(?:urn:[a-z0-9:.]+:)?emails)\[type eq "work"\](?=\.value\s)/i
const COMPARISON =
  /^\s*([a-z][\w:.$-]*)\s+eq\s+("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"|true|false)(?:\s+and\s+|\s*$)/iu

/** @throws InvalidFilter - with a message for the directory's administrator */
export function parseFilter(text: string): Comparison[] {
  if (text.length > MAX_LENGTH) throw new InvalidFilter('The filter is too long.')
  const comparisons: Comparison[] = []
  let rest = text
  do {
    rest = rest.replace(WORK_ADDRESS, '$1')
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
    comparisons.push({ attribute: attributeName(attribute), value })
    rest = rest.slice(found.length)
    if (rest === '' && /and\s+$/i.test(found)) {
      throw new InvalidFilter('The filter ends with and.')
    }
  } while (rest !== '')
  return comparisons
}

/** An attribute's name without its schema, in lower case. */
export function attributeName(path: string): string {
  return path.replace(SCHEMA, '').toLowerCase()
}

function valueOf(literal: string): string | boolean {
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true'
  return JSON.parse(literal) as string // The expression accepts only JSON strings.
}
