/**
 * PATCH of SCIM 2.0 (RFC 7644 3.5.2) as directories send it. Entra ID capitalizes operations, sends booleans as strings and
 * dotted names without a path; Okta sends whole objects. A string that is not a boolean is rejected instead of being truthy.
 */
import * as z from 'zod/mini'
import { attributeName, type Comparison, InvalidFilter, parseFilter } from './scim-filter.ts'

/** A patch that cannot be applied. The response is 400 with this `scimType`. */
export class InvalidPatch extends Error {
  readonly scimType: 'invalidPath' | 'invalidValue' | 'invalidSyntax' | 'noTarget'

  constructor(scimType: InvalidPatch['scimType'], message: string) {
    super(message)
    this.scimType = scimType
  }
}

/** The attributes of a person that the product uses. Others are accepted and ignored. */
export interface DirectoryUser {
  readonly userName: string
  readonly externalId?: string | undefined
  readonly active: boolean
  readonly email?: string | undefined
  readonly displayName?: string | undefined
  readonly givenName?: string | undefined
  readonly familyName?: string | undefined
}

/** A group as a directory sends it. */
export interface DirectoryGroup {
  readonly displayName: string
  readonly externalId?: string | undefined
  /** The IDs of its members; undefined if the directory did not send them, which leaves them unchanged. */
  readonly members?: readonly string[] | undefined
}

/** One change to a group. Members are changed by ID, so that no change reads the others. */
export type GroupChange =
  | { readonly kind: 'displayName'; readonly displayName: string }
  | { readonly kind: 'externalId'; readonly externalId: string | undefined }
  | {
      readonly kind: 'addMembers' | 'removeMembers' | 'replaceMembers'
      readonly ids: readonly string[]
    }

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path?: string | undefined
  readonly value?: unknown
}

const MAX_OPERATIONS = 1000
const MAX_MEMBERS = 10_000

const Operation = z.object({
  op: z.string(),
  path: z.optional(z.string().check(z.maxLength(1024))),
  value: z.optional(z.unknown()),
})

const Patch = z.object({
  Operations: z.array(Operation).check(z.minLength(1), z.maxLength(MAX_OPERATIONS)),
})

/** @throws InvalidPatch */
export function readPatch(body: unknown): PatchOperation[] {
  const parsed = Patch.safeParse(body)
  if (!parsed.success) {
    throw new InvalidPatch('invalidSyntax', 'Operations must be a list of operations.')
  }
  return parsed.data.Operations.map(({ op, path, value }) => {
    const lower = op.toLowerCase()
    if (lower !== 'add' && lower !== 'remove' && lower !== 'replace') {
      throw new InvalidPatch('invalidSyntax', `op must be add, remove or replace, not ${op}.`)
    }
    return { op: lower, path, value }
  })
}

/** A boolean, or a string that contains one. @throws InvalidPatch */
function readBoolean(value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw new InvalidPatch('invalidValue', 'active must be true or false.')
}

type UserChange = (value: unknown) => Partial<DirectoryUser>

const USER_ATTRIBUTES: Readonly<Record<string, UserChange>> = {
  active: (value) => ({ active: readBoolean(value) }),
  username: (value) => ({ userName: requiredText('userName', value) }),
  externalid: (value) => ({ externalId: optionalText(value) }),
  displayname: (value) => ({ displayName: optionalText(value) }),
  'name.givenname': (value) => ({ givenName: optionalText(value) }),
  'name.familyname': (value) => ({ familyName: optionalText(value) }),
  emails: (value) => ({ email: emailIn(value) }),
  'emails.value': (value) => ({ email: optionalText(value) }),
}

/** A user as POST and PUT send it. Only `active` may be omitted. @throws InvalidPatch */
export function readUser(body: unknown): Omit<DirectoryUser, 'active'> & { active?: boolean } {
  const { userName, ...others } = userChanges(body)
  return { ...others, userName: requiredText('userName', userName) }
}

/** @throws InvalidPatch */
export function patchUser(
  user: DirectoryUser,
  operations: readonly PatchOperation[],
): DirectoryUser {
  return operations.reduce<DirectoryUser>((current, { op, path, value }) => {
    if (path === undefined) {
      if (op === 'remove') throw new InvalidPatch('noTarget', 'remove needs a path.')
      return { ...current, ...userChanges(value) }
    }
    const { attribute, filter } = readPath(path)
    // Only the work address is stored: a change to another one must not replace it.
    if (attribute.startsWith('emails') && filter !== undefined && !isOfWork(filter)) return current
    if (op === 'remove') {
      if (attribute === 'username' || attribute === 'active') {
        throw new InvalidPatch('invalidValue', `${attribute} cannot be removed.`)
      }
      return { ...current, ...userChanges({ [attribute]: undefined }) }
    }
    return { ...current, ...userChanges({ [attribute]: value }) }
  }, user)
}

function isOfWork({ attribute, value }: Comparison): boolean {
  return attribute === 'type'
    ? value === 'work'
    : attribute === 'primary' && value.toString().toLowerCase() === 'true'
}

/** The changes in an object, as in `{"active": false}` or `{"name.givenName": "Ada"}`. @throws InvalidPatch */
function userChanges(value: unknown): Partial<DirectoryUser> {
  return Object.assign(
    {},
    ...flatten(value).map(([name, each]) => attributeOf(USER_ATTRIBUTES, name)?.(each)),
  ) as Partial<DirectoryUser> // Each change is one of these properties.
}

/** A group as POST and PUT send it. @throws InvalidPatch */
export function readGroup(body: unknown): DirectoryGroup {
  const attributes = new Map(flatten(body))
  const members = attributes.get('members')
  return {
    displayName: requiredText('displayName', attributes.get('displayname')),
    externalId: optionalText(attributes.get('externalid')),
    members: members === undefined ? undefined : memberIds(members ?? []),
  }
}

/** @throws InvalidPatch */
export function groupChanges(operations: readonly PatchOperation[]): GroupChange[] {
  return operations.flatMap(({ op, path, value }) => {
    if (path === undefined) {
      if (op === 'remove') throw new InvalidPatch('noTarget', 'remove needs a path.')
      return flatten(value).flatMap(([name, each]) => groupChange(op, name, each))
    }
    const { attribute, filter } = readPath(path)
    if (attribute !== 'members' || filter === undefined) return groupChange(op, attribute, value)
    if (op !== 'remove' || typeof filter.value !== 'string') {
      throw new InvalidPatch('invalidPath', 'A filter on members can only remove a member.')
    }
    return [{ kind: 'removeMembers', ids: [filter.value] }]
  })
}

/** Empty for an attribute that the product does not use. */
function groupChange(
  op: PatchOperation['op'],
  attribute: string,
  value: unknown,
): readonly GroupChange[] {
  switch (attribute) {
    case 'displayname': {
      const displayName = op === 'remove' ? undefined : value
      return [{ kind: 'displayName', displayName: requiredText('displayName', displayName) }]
    }
    case 'externalid':
      return [{ kind: 'externalId', externalId: optionalText(op === 'remove' ? undefined : value) }]
    case 'members':
      return op === 'remove' && (value === undefined || value === null)
        ? [{ kind: 'replaceMembers', ids: [] }]
        : [{ kind: `${op}Members`, ids: memberIds(value) }]
    default:
      return []
  }
}

/** `members[value eq "id"]`, `emails[type eq "work"].value`, `name.givenName`, each with or without its schema. */
function readPath(path: string): { attribute: string; filter?: Comparison } {
  const [, before = '', filter, after = ''] =
    /^([^[\]]+)(?:\[([^\]]*)\])?(\.[a-z]+)?$/i.exec(path) ?? []
  if (before === '') throw new InvalidPatch('invalidPath', `The path ${path} is not valid.`)
  const attribute = attributeName(`${before}${after}`)
  if (filter === undefined) return { attribute }
  try {
    const [comparison, ...others] = parseFilter(filter)
    if (comparison !== undefined && others.length === 0) return { attribute, filter: comparison }
  } catch (error) {
    if (!(error instanceof InvalidFilter)) throw error
  }
  throw new InvalidPatch('invalidPath', `The filter in the path ${path} is not supported.`)
}

/** The attributes of an object with dotted names: `name: { givenName }` is `name.givenname`. */
function flatten(value: unknown): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidPatch('invalidValue', 'Send the attributes as a JSON object.')
  }
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const attribute = readPath(name).attribute
    return attribute === 'name' && typeof each === 'object' && each !== null
      ? Object.entries(each).map(([part, text]) => [`name.${part.toLowerCase()}`, text])
      : [[attribute, each]]
  })
}

function attributeOf(
  attributes: Readonly<Record<string, UserChange>>,
  name: string,
): UserChange | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

function optionalText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.length <= 320 && !value.includes('\0')) return value
  throw new InvalidPatch(
    'invalidValue',
    'The value must be text of 320 characters at most, without null characters.',
  )
}

function requiredText(name: string, value: unknown): string {
  const text = optionalText(value)
  if (text === undefined) throw new InvalidPatch('invalidValue', `${name} must not be empty.`)
  return text
}

const Email = z.object({
  value: z.string(),
  primary: z.optional(z.unknown()),
  type: z.optional(z.string()),
})

/** The primary address in a list, or else the work address, or else the first. */
function emailIn(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const parsed = z.array(Email).safeParse(Array.isArray(value) ? value : [value])
  if (!parsed.success) throw new InvalidPatch('invalidValue', 'emails must be a list of addresses.')
  const [first] = parsed.data
  const isPrimary = ({ primary }: z.output<typeof Email>) =>
    primary !== undefined && readBoolean(primary)
  const chosen =
    parsed.data.find(isPrimary) ?? parsed.data.find(({ type }) => type === 'work') ?? first
  return optionalText(chosen?.value)
}

// PostgreSQL has no null characters in text.
const MemberId = z.string().check(z.regex(/^[^\0]*$/))
const MemberList = z.array(z.object({ value: MemberId })).check(z.maxLength(MAX_MEMBERS))

function memberIds(value: unknown): string[] {
  const parsed = MemberList.safeParse(Array.isArray(value) ? value : [value])
  if (parsed.success) return [...new Set(parsed.data.map((member) => member.value))]
  throw new InvalidPatch(
    'invalidValue',
    `members must be a list of at most ${MAX_MEMBERS} objects with a value.`,
  )
}
