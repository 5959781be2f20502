/**
 * Users and groups as directories send them, whole or by PATCH (RFC 7644 3.5.2). Entra ID capitalizes operations, sends
 * booleans as strings and paths as names of attributes; Okta sends whole objects. A string that is not a boolean is rejected
 * instead of being truthy.
 */
import type { Comparison, ResourceType } from './scim-filter.ts'
import {
  type AttributePath,
  InvalidPatch,
  isUnassigned,
  namingAttribute,
  readList,
  readObject,
  readPath,
  readSingle,
} from './scim-path.ts'

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

/** A change of one attribute. */
interface AttributeChange extends Pick<PatchOperation, 'op' | 'value'> {
  readonly path: AttributePath
  /** From an object of attributes, where an unassigned attribute that must have a value counts as absent. */
  readonly ofObject: boolean
}

const MAX_OPERATIONS = 1000
const MAX_MEMBERS = 10_000

/** @throws InvalidPatch */
export function readPatch(body: unknown): PatchOperation[] {
  const operations = readObject(body)?.get('operations')
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new InvalidPatch('invalidSyntax', 'Operations must be a list of operations.')
  }
  if (operations.length > MAX_OPERATIONS) {
    throw new InvalidPatch('invalidSyntax', `Send at most ${MAX_OPERATIONS} operations at once.`)
  }
  return operations.map(readOperation)
}

function readOperation(operation: unknown): PatchOperation {
  const fields = readObject(operation)
  const op = fields?.get('op')
  const path = fields?.get('path')
  const lower = typeof op === 'string' ? op.toLowerCase() : undefined
  if (lower !== 'add' && lower !== 'remove' && lower !== 'replace') {
    throw new InvalidPatch('invalidSyntax', 'op must be add, remove or replace.')
  }
  if (!isUnassigned(path) && typeof path !== 'string') {
    throw new InvalidPatch('invalidPath', 'path must be text.')
  }
  return { op: lower, path: isUnassigned(path) ? undefined : path, value: fields?.get('value') }
}

/** A user as POST and PUT send it. Only `active` may be omitted. @throws InvalidPatch */
export function readUser(body: unknown): Omit<DirectoryUser, 'active'> & { active?: boolean } {
  const { userName, ...others } = allValid(attributeChanges(body, 'replace', 'User')).reduce(
    changeUser,
    {} as Partial<DirectoryUser>,
  )
  return { ...others, userName: requiredText('userName', userName) }
}

/** @throws InvalidPatch */
export function patchUser(
  user: DirectoryUser,
  operations: readonly PatchOperation[],
): DirectoryUser {
  return allValid(operations.flatMap((each) => operationChanges(each, 'User'))).reduce(
    changeUser,
    user,
  )
}

/** A group as POST and PUT send it. @throws InvalidPatch */
export function readGroup(body: unknown): DirectoryGroup {
  const group: {
    displayName?: string
    externalId?: string | undefined
    members?: readonly string[]
  } = {}
  for (const change of allValid(attributeChanges(body, 'replace', 'Group')).flatMap(groupChange)) {
    if (change.kind === 'displayName') group.displayName = change.displayName
    else if (change.kind === 'externalId') group.externalId = change.externalId
    else group.members = change.ids
  }
  const { displayName, ...others } = group
  return { ...others, displayName: requiredText('displayName', displayName) }
}

/** @throws InvalidPatch */
export function groupChanges(operations: readonly PatchOperation[]): GroupChange[] {
  return allValid(operations.flatMap((each) => operationChanges(each, 'Group'))).flatMap(
    groupChange,
  )
}

/** Whether a refused user of PUT is inactive. */
export function isInactiveUser(body: unknown): boolean {
  return lastActive(readable(() => attributeChanges(body, 'replace', 'User'))) === false
}

/** Whether a refused patch deactivates the user: the last value of `active` that can be read counts. */
export function isDeactivation(body: unknown): boolean {
  return lastActive(readableOperations(body, 'User')) === false
}

/** The members that a refused patch names to remove, unless it adds them again. */
export function namedRemovals(body: unknown): string[] {
  const removed = new Set<string>()
  for (const change of readableOperations(body, 'Group')) {
    const [read] = readable(() => [...groupChange(change)])
    if (read === undefined || !('ids' in read)) continue
    for (const id of read.ids) {
      if (read.kind === 'removeMembers') removed.add(id)
      else removed.delete(id)
    }
  }
  return [...removed]
}

function lastActive(changes: readonly AttributeChange[]): boolean | undefined {
  return changes
    .filter(({ path }) => path.attribute === 'active')
    .flatMap((change) => readable(() => [changeUser<{ active?: boolean }>({}, change)]))
    .reduce<boolean | undefined>((last, { active = last }) => active, undefined)
}

function readableOperations(body: unknown, type: ResourceType): AttributeChange[] {
  return readList(readObject(body)?.get('operations')).flatMap((each) =>
    readable(() => operationChanges(readOperation(each), type)),
  )
}

/** What can be read, without the errors. */
function readable<Read>(read: () => readonly (Read | InvalidPatch)[]): Read[] {
  return orError(read).flatMap((each) => (each instanceof InvalidPatch ? [] : [each]))
}

function orError<Read>(read: () => readonly Read[]): readonly (Read | InvalidPatch)[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidPatch) return [error]
    throw error
  }
}

/** @throws InvalidPatch - the first error */
function allValid<Read>(changes: readonly (Read | InvalidPatch)[]): Read[] {
  return changes.map((change) => {
    if (change instanceof InvalidPatch) throw change
    return change
  })
}

/** The changes of the attributes that the product uses, and the errors of those that cannot be read. */
function operationChanges(
  { op, path: text, value }: PatchOperation,
  type: ResourceType,
): readonly (AttributeChange | InvalidPatch)[] {
  return orError(() => {
    const path = text === undefined ? { attribute: 'resource' } : readPath(text, type)
    if (path === undefined) return []
    if (path.attribute !== 'resource') return [{ op, path, value, ofObject: false }]
    if (op === 'remove') {
      throw new InvalidPatch('noTarget', 'remove needs the path of an attribute.')
    }
    return attributeChanges(value, op, type)
  })
}

/** The changes in an object, as in `{"active": false}` or `{"name.givenName": "Ada"}`, and the errors. */
function attributeChanges(
  value: unknown,
  op: 'add' | 'replace',
  type: ResourceType,
): readonly (AttributeChange | InvalidPatch)[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [new InvalidPatch('invalidValue', 'Send the attributes as a JSON object.')]
  }
  return Object.entries(value).flatMap(([name, each]) =>
    orError((): readonly (AttributeChange | InvalidPatch)[] => {
      const path = readPath(name, type)
      if (path === undefined) return []
      // The object that the schema of the resource names has attributes, not another such object.
      if (path.attribute === 'resource') {
        return isUnassigned(each) ? [] : attributeChanges(each, op, type)
      }
      return [{ op, path, value: each, ofObject: true }]
    }),
  )
}

function changeUser<User extends Partial<DirectoryUser>>(
  user: User,
  change: AttributeChange,
): User {
  return namingAttribute(change.path.attribute, () => applyToUser(user, change))
}

function applyToUser<User extends Partial<DirectoryUser>>(
  user: User,
  change: AttributeChange,
): User {
  const { path, ofObject } = change
  const value = change.op === 'remove' ? undefined : readSingle(change.value)
  switch (path.attribute) {
    case 'active':
    case 'username':
      if (isUnassigned(value) && ofObject) return user
      if (change.op === 'remove') {
        throw new InvalidPatch('invalidValue', `${path.attribute} cannot be removed.`)
      }
      return path.attribute === 'active'
        ? { ...user, active: readBoolean('active', value) }
        : { ...user, userName: requiredText('userName', value) }
    case 'externalid':
      return { ...user, externalId: optionalText(value) }
    case 'displayname':
      return { ...user, displayName: optionalText(value) }
    case 'name':
      return { ...user, ...nameParts(path.subAttribute, value) }
    default:
      return { ...user, email: changeEmail(user.email, change) }
  }
}

function nameParts(
  subAttribute: string | undefined,
  value: unknown,
): Pick<DirectoryUser, 'givenName' | 'familyName'> {
  if (subAttribute === 'givenname') return { givenName: optionalText(value) }
  if (subAttribute === 'familyname') return { familyName: optionalText(value) }
  if (isUnassigned(value)) return { givenName: undefined, familyName: undefined }
  const parts = readObject(value)
  if (parts === undefined) throw new InvalidPatch('invalidValue', 'name must be an object.')
  return {
    ...(parts.has('givenname') ? { givenName: optionalText(parts.get('givenname')) } : {}),
    ...(parts.has('familyname') ? { familyName: optionalText(parts.get('familyname')) } : {}),
  }
}

/** An address in a list, without the attributes that the product does not use. */
interface Address {
  readonly value: string | undefined
  /** Whether the directory sent a value, which may be unassigned. */
  readonly hasValue: boolean
  readonly type: string | undefined
  readonly isPrimary: boolean
}

/** One address is stored: that of work, or one without a type. A change of another one must not replace it. */
function changeEmail(
  current: string | undefined,
  { op, path: { filter, subAttribute }, value }: AttributeChange,
): string | undefined {
  if (filter !== undefined && !filter.every((each) => isOfStoredAddress(each, current))) {
    return current
  }
  if (subAttribute === 'value') {
    return op === 'remove' ? undefined : optionalText(readSingle(value))
  }
  const addresses = readList(value).map(readAddress)
  if (filter !== undefined) {
    const [address] = addresses
    if (op === 'remove' || address === undefined) return undefined
    return address.hasValue ? chooseAddress([address]) : current
  }
  switch (op) {
    case 'remove':
      return isUnassigned(value) || addresses.some((each) => isSame(each, current))
        ? undefined
        : current
    case 'replace':
      return chooseAddress(addresses)
    case 'add': {
      const replacing = addresses.filter(
        ({ type, isPrimary }) => type === 'work' || (type === undefined && isPrimary),
      )
      return chooseAddress(current === undefined ? addresses : replacing) ?? current
    }
  }
}

/** Whether a condition selects the stored address, or the one that would be stored. */
function isOfStoredAddress({ attribute, value }: Comparison, current: string | undefined): boolean {
  switch (attribute) {
    case 'type':
      return value.toString().toLowerCase() === 'work'
    case 'primary':
      return value.toString().toLowerCase() === 'true'
    case 'value':
      return isSameText(value.toString(), current)
    default:
      throw new InvalidPatch(
        'invalidPath',
        `emails cannot be selected by ${attribute}. Select them by type, primary or value.`,
      )
  }
}

function isSame({ value, type }: Address, current: string | undefined): boolean {
  return value === undefined ? type === 'work' : isSameText(value, current)
}

function isSameText(text: string, current: string | undefined): boolean {
  return text.toLowerCase() === current?.toLowerCase()
}

function readAddress(entry: unknown): Address {
  const fields = typeof entry === 'string' ? new Map([['value', entry]]) : readObject(entry)
  const type = fields?.get('type')
  if (fields === undefined || !(isUnassigned(type) || typeof type === 'string')) {
    throw new InvalidPatch('invalidValue', 'emails must be a list of addresses.')
  }
  const primary = fields.get('primary')
  return {
    value: optionalText(fields.get('value')),
    hasValue: fields.has('value'),
    type: isUnassigned(type) ? undefined : type.toLowerCase(),
    isPrimary: !isUnassigned(primary) && readBoolean('primary', primary),
  }
}

/** The address of work or without a type, a primary one first. An address of another type counts only if it is primary and no other does. */
function chooseAddress(addresses: readonly Address[]): string | undefined {
  const sent = addresses.filter(({ value }) => value !== undefined)
  const ofWork = sent.filter(({ type }) => type === undefined || type === 'work')
  const chosen =
    ofWork.find(({ isPrimary }) => isPrimary) ??
    ofWork.find(({ type }) => type === 'work') ??
    ofWork[0] ??
    sent.find(({ isPrimary }) => isPrimary)
  return chosen?.value
}

/** Empty for an unassigned name in an object. */
function groupChange(change: AttributeChange): readonly GroupChange[] {
  return namingAttribute(change.path.attribute, () => readGroupChange(change))
}

function readGroupChange({ op, path, value, ofObject }: AttributeChange): readonly GroupChange[] {
  const assigned = op === 'remove' ? undefined : readSingle(value)
  switch (path.attribute) {
    case 'displayname':
      return isUnassigned(assigned) && ofObject
        ? []
        : [{ kind: 'displayName', displayName: requiredText('displayName', assigned) }]
    case 'externalid':
      return [{ kind: 'externalId', externalId: optionalText(assigned) }]
    default:
      return [memberChange(op, path, value)]
  }
}

function memberChange(
  op: PatchOperation['op'],
  { filter, subAttribute }: AttributePath,
  value: unknown,
): GroupChange {
  if (filter !== undefined) {
    const id = filter.find(({ attribute }) => attribute === 'value')?.value
    if (op !== 'remove' || typeof id !== 'string') {
      throw new InvalidPatch(
        'invalidPath',
        'A filter on members can only remove a member by value.',
      )
    }
    return { kind: 'removeMembers', ids: [id] }
  }
  if (subAttribute !== undefined) {
    throw new InvalidPatch('invalidPath', 'Send members as objects with a value.')
  }
  return op === 'remove' && (value === undefined || value === null)
    ? { kind: 'replaceMembers', ids: [] }
    : { kind: `${op}Members`, ids: memberIds(value) }
}

function memberIds(value: unknown): string[] {
  const members = readList(value)
  const ids = members.map((member) => readObject(member)?.get('value'))
  // PostgreSQL has no null characters in text.
  const isId = (id: unknown): id is string =>
    typeof id === 'string' && id !== '' && !id.includes('\0')
  if (members.length <= MAX_MEMBERS && ids.every(isId)) return [...new Set(ids)]
  throw new InvalidPatch(
    'invalidValue',
    `members must be a list of at most ${MAX_MEMBERS} objects with a value.`,
  )
}

/** A boolean, or a string that contains one. @throws InvalidPatch */
function readBoolean(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw new InvalidPatch('invalidValue', `${name} must be true or false.`)
}

function optionalText(value: unknown): string | undefined {
  if (isUnassigned(value)) return undefined
  if (typeof value === 'string' && value.length <= 320 && !value.includes('\0')) return value
  throw new InvalidPatch(
    'invalidValue',
    'The value must be text of 320 characters at most, without null characters.',
  )
}

function requiredText(name: string, value: unknown): string {
  const text = optionalText(value)
  if (text === undefined) {
    throw new InvalidPatch('invalidValue', `${name} must not be empty.`, name)
  }
  return text
}
