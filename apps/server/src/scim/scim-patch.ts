/**
 * PATCH of SCIM 2.0 (RFC 7644 3.5.2) as directories send it. Entra ID capitalizes operations, sends booleans as text and
 * dotted names without a path; Okta sends whole objects. A text that is not a boolean is refused instead of being true.
 */
import * as z from 'zod/mini'
import { attributeName, parseFilter } from './scim-filter.ts'

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

export interface DirectoryGroup {
  readonly displayName: string
  readonly externalId?: string | undefined
  /** The IDs of its members. */
  readonly members: readonly string[]
}

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path?: string | undefined
  readonly value?: unknown
}

const OPERATIONS_MAXIMUM = 1000

const Operation = z.object({
  op: z.string(),
  path: z.optional(z.string().check(z.maxLength(1024))),
  value: z.optional(z.unknown()),
})

const Patch = z.object({
  Operations: z.array(Operation).check(z.minLength(1), z.maxLength(OPERATIONS_MAXIMUM)),
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

/** A boolean, or one as text. @throws InvalidPatch */
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

/** @throws InvalidPatch */
export function patchUser(
  user: DirectoryUser,
  operations: readonly PatchOperation[],
): DirectoryUser {
  return operations.reduce<DirectoryUser>((current, { op, path, value }) => {
    if (path !== undefined) {
      const { attribute } = readPath(path)
      const change = attributeOf(USER_ATTRIBUTES, attribute)
      if (op === 'remove') {
        if (attribute === 'username' || attribute === 'active') {
          throw new InvalidPatch('invalidValue', `${attribute} cannot be removed.`)
        }
        return { ...current, ...change?.(undefined) }
      }
      return { ...current, ...change?.(value) }
    }
    if (op === 'remove') throw new InvalidPatch('noTarget', 'remove needs a path.')
    return { ...current, ...userChanges(value) }
  }, user)
}

/** The changes in an object, as in `{"active": false}` or `{"name.givenName": "Ada"}`. @throws InvalidPatch */
function userChanges(value: unknown): Partial<DirectoryUser> {
  return Object.assign(
    {},
    ...flatten(value).map(([name, each]) => attributeOf(USER_ATTRIBUTES, name)?.(each)),
  ) as Partial<DirectoryUser> // Each change is one.
}

/** @throws InvalidPatch */
export function patchGroup(
  group: DirectoryGroup,
  operations: readonly PatchOperation[],
): DirectoryGroup {
  return operations.reduce<DirectoryGroup>((current, operation) => {
    const { op, path, value } = operation
    if (path === undefined) {
      if (op === 'remove') throw new InvalidPatch('noTarget', 'remove needs a path.')
      return flatten(value).reduce(
        (group, [name, each]) => changeGroup(group, op, name, each),
        current,
      )
    }
    const { attribute, member } = readPath(path)
    if (attribute === 'members' && member !== undefined) {
      if (op !== 'remove') {
        throw new InvalidPatch('invalidPath', 'A single member can only be removed.')
      }
      return { ...current, members: current.members.filter((id) => id !== member) }
    }
    return changeGroup(current, op, attribute, value)
  }, group)
}

function changeGroup(
  group: DirectoryGroup,
  op: PatchOperation['op'],
  attribute: string,
  value: unknown,
): DirectoryGroup {
  switch (attribute) {
    case 'displayname':
      return { ...group, displayName: requiredText('displayName', value) }
    case 'externalid':
      return { ...group, externalId: optionalText(value) }
    case 'members': {
      const members = op === 'remove' && value === undefined ? group.members : memberIds(value)
      switch (op) {
        case 'add':
          return { ...group, members: [...new Set([...group.members, ...members])] }
        case 'remove':
          return { ...group, members: group.members.filter((id) => !members.includes(id)) }
        case 'replace':
          return { ...group, members: [...new Set(members)] }
      }
    }
  }
  return group
}

/** `members[value eq "id"]`, `emails[type eq "work"].value`, `name.givenName`, each with or without its schema. */
function readPath(path: string): { attribute: string; member?: string } {
  const [, before = '', filter, after = ''] =
    /^([^[\]]+)(?:\[([^\]]*)\])?(\.[a-z]+)?$/i.exec(path) ?? []
  if (before === '') throw new InvalidPatch('invalidPath', `The path ${path} is not valid.`)
  const attribute = attributeName(`${before}${after}`)
  if (filter === undefined) return { attribute }
  let comparisons: ReturnType<typeof parseFilter>
  try {
    comparisons = parseFilter(filter)
  } catch {
    throw new InvalidPatch('invalidPath', `The filter in the path ${path} is not supported.`)
  }
  const [comparison] = comparisons
  return attribute === 'members' && typeof comparison?.value === 'string'
    ? { attribute, member: comparison.value }
    : { attribute }
}

/** The attributes of an object with dotted names: `name: { givenName }` is `name.givenname`. */
function flatten(value: unknown): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidPatch('invalidValue', 'Without a path, the value must be an object.')
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
  if (typeof value === 'string' && value.length <= 320) return value
  throw new InvalidPatch('invalidValue', 'The value must be text of 320 characters at most.')
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

/** The primary address of a list, otherwise that of work, otherwise the first. */
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

const MemberList = z.array(z.object({ value: z.string() }))

function memberIds(value: unknown): string[] {
  const parsed = MemberList.safeParse(Array.isArray(value) ? value : [value])
  if (parsed.success) return parsed.data.map((member) => member.value)
  throw new InvalidPatch('invalidValue', 'members must be a list of objects with a value.')
}
