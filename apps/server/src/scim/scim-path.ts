/**
 * The attributes of a message and the paths of its operations (RFC 7644 3.5.2). An attribute that the product does not use is
 * recognized by its name, before its filter is read, so that it never fails the rest of the message.
 */
import {
  type Comparison,
  InvalidFilter,
  parseFilter,
  type ResourceType,
  withoutCoreSchema,
} from './scim-filter.ts'

/** A patch that cannot be applied. The response is 400 with this `scimType`. */
export class InvalidPatch extends Error {
  readonly scimType: 'invalidPath' | 'invalidValue' | 'invalidSyntax' | 'noTarget'
  /** The attribute at fault, in any case, if it is one. */
  readonly attribute: string | undefined

  constructor(scimType: InvalidPatch['scimType'], message: string, attribute?: string) {
    super(message)
    this.scimType = scimType
    this.attribute = attribute
  }
}

/** Names the attribute at fault in the error. */
export function namingAttribute<Result>(attribute: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidPatch) || error.attribute !== undefined) throw error
    throw new InvalidPatch(error.scimType, error.message, attribute)
  }
}

/** An attribute that the product uses, in lower case. `resource` is the object of all core attributes, named by its schema. */
export interface AttributePath {
  readonly attribute: string
  readonly subAttribute?: string | undefined
  /** Comparisons that are joined by `and`. */
  readonly filter?: readonly Comparison[] | undefined
}

/** The attributes that the product uses, with their sub-attributes. */
const USED: Readonly<Record<ResourceType, ReadonlyMap<string, readonly string[]>>> = {
  User: new Map([
    ['username', []],
    ['externalid', []],
    ['active', []],
    ['displayname', []],
    ['name', ['givenname', 'familyname']],
    ['emails', ['value']],
  ]),
  Group: new Map([
    ['displayname', []],
    ['externalid', []],
    ['members', ['value']],
  ]),
}
const LISTS: ReadonlySet<string> = new Set(['emails', 'members'])

/** Returns undefined for an attribute that the product does not use. @throws InvalidPatch */
export function readPath(path: string, type: ResourceType): AttributePath | undefined {
  if (path.toLowerCase() === `urn:ietf:params:scim:schemas:core:2.0:${type.toLowerCase()}`) {
    return { attribute: 'resource' }
  }
  const text = withoutCoreSchema(path, type)
  // An attribute of an extension, whose name may be that of a core attribute.
  if (/^urn:/i.test(text)) return undefined
  const [name] = /^[a-z$][\w$-]*/i.exec(text) ?? []
  if (name === undefined) throw invalidPath(path)
  const attribute = name.toLowerCase()
  const used = USED[type].get(attribute)
  if (used === undefined) return undefined
  return namingAttribute(attribute, () =>
    readUsedPath(path, text.slice(name.length), { attribute, used, type }),
  )
}

function readUsedPath(
  path: string,
  rest: string,
  {
    attribute,
    used,
    type,
  }: { readonly attribute: string; readonly used: readonly string[]; readonly type: ResourceType },
): AttributePath | undefined {
  const [found, filter, sub] = /^(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is.exec(rest) ?? []
  if (found === undefined) throw invalidPath(path)
  const subAttribute = sub?.toLowerCase()
  const isList = LISTS.has(attribute)
  const hasParts = isList || used.length > 0
  if ((subAttribute !== undefined && !hasParts) || (filter !== undefined && !isList)) {
    throw invalidPath(path)
  }
  if (subAttribute !== undefined && !used.includes(subAttribute)) return undefined
  return {
    attribute,
    subAttribute,
    filter: filter === undefined ? undefined : readValueFilter(filter, path, type),
  }
}

function readValueFilter(filter: string, path: string, type: ResourceType): Comparison[] {
  try {
    return parseFilter(filter, type)
  } catch (error) {
    if (!(error instanceof InvalidFilter)) throw error
    throw new InvalidPatch(
      'invalidPath',
      `The filter in the path ${shown(path)} is not supported. Compare by eq, joined by and.`,
    )
  }
}

function invalidPath(path: string): InvalidPatch {
  return new InvalidPatch('invalidPath', `The path ${shown(path)} is not valid.`)
}

function shown(path: string): string {
  return path.slice(0, 200)
}

/** Null, an empty text and an empty list are the same state as an absent attribute (RFC 7643 2.5). */
export function isUnassigned(value: unknown): value is undefined | null | '' | readonly [] {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** The properties of an object by their names in lower case, because names ignore case (RFC 7643 2.1). */
export function readObject(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
}

/** A single value, which an older mode of Entra ID sends as a list of one object with a `value`. */
export function readSingle(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value
  const fields = readObject(value[0])
  return fields?.has('value') ? fields.get('value') : value
}

/** A list, of which a single value may be sent without brackets. */
export function readList(value: unknown): readonly unknown[] {
  if (isUnassigned(value)) return []
  return (Array.isArray(value) ? value : [value]).filter((each) => !isUnassigned(each))
}
