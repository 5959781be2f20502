/** SCIM 2.0 resources (RFC 7643) as returned, and service discovery (RFC 7644 4). */
import { SCIM_PATH } from '@portico/contracts/sso-setup'
import type { DirectoryGroupRow } from './directory-groups.store.ts'
import type { DirectoryUserRow } from './directory-users.store.ts'
import { CURSOR_TIMEOUT_S } from './scim-cursors.ts'
import { attributeName, type ResourceType } from './scim-filter.ts'

export const DEFAULT_RESULTS = 100
export const MAX_RESULTS = 200

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'

type Resource = Readonly<Record<string, unknown>>

/** The attributes that the directory requests (RFC 7644 3.9), in lower case. */
export interface Projection {
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

/**
 * The names in `attributes` or `excludedAttributes`. A sub-attribute, such as `name.givenName`, selects the whole attribute.
 */
export function attributeNames(text: string, type: ResourceType): string[] {
  const names = text.split(',').map((each) => {
    const name = attributeName(each.trim(), type)
    // The schema of an extension, which has no attributes here, contains a dot.
    return name.startsWith('urn:') ? name : (name.split('.')[0] ?? '')
  })
  return names.filter((name) => name !== '')
}

/** Whether an attribute is returned. */
export function isReturned(name: string, { attributes, excludedAttributes }: Projection): boolean {
  const lower = name.toLowerCase()
  if (lower === 'id' || lower === 'schemas') return true
  return attributes.length > 0 ? attributes.includes(lower) : !excludedAttributes.includes(lower)
}

export function userResource(row: DirectoryUserRow, origin: string): Resource {
  const { givenName, familyName, email } = row
  return {
    schemas: [`${CORE}:User`],
    id: row.id,
    ...withoutNulls({ externalId: row.externalId, displayName: row.displayName }),
    userName: row.userName,
    active: row.deactivatedAt === null,
    ...(givenName === null && familyName === null
      ? {}
      : { name: withoutNulls({ givenName, familyName }) }),
    ...(email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
    meta: metaOf('User', row, origin),
  }
}

/** A member of a group, as the store lists it. */
interface Member {
  readonly userId: string
  readonly displayName: string | null
  readonly userName: string
}

/** @param members - undefined if the directory does not request them */
export function groupResource(
  row: DirectoryGroupRow,
  members: readonly Member[] | undefined,
  origin: string,
): Resource {
  return {
    schemas: [`${CORE}:Group`],
    id: row.id,
    ...withoutNulls({ externalId: row.externalId }),
    displayName: row.displayName,
    ...(members === undefined
      ? {}
      : {
          members: members.map(({ userId, displayName, userName }) => ({
            value: userId,
            display: displayName ?? userName,
          })),
        }),
    meta: metaOf('Group', row, origin),
  }
}

/** A resource with the requested attributes. */
export function applyProjection(resource: Resource, projection: Projection): Resource {
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => isReturned(name, projection)),
  )
}

/** @param position - `nextCursor` is undefined on the last page (RFC 9865) */
export function listResponse(
  resources: readonly Resource[],
  total: number,
  position: { readonly startIndex: number } | { readonly nextCursor: string | undefined },
): Resource {
  return {
    schemas: [`${MESSAGES}:ListResponse`],
    totalResults: total,
    ...position,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

export function errorBody(status: number, detail: string, scimType?: string): Resource {
  return {
    schemas: [`${MESSAGES}:Error`],
    status: `${status}`,
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  }
}

export function serviceProviderConfig(origin: string): Resource {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: DEFAULT_RESULTS,
      maxPageSize: MAX_RESULTS,
      cursorTimeout: CURSOR_TIMEOUT_S,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of the identity provider, in the authorization header.',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${origin}${SCIM_PATH}/ServiceProviderConfig`,
    },
  }
}

export function resourceTypes(origin: string): Resource[] {
  return (['User', 'Group'] as const).map((name) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema: `${CORE}:${name}`,
    meta: {
      resourceType: 'ResourceType',
      location: `${origin}${SCIM_PATH}/ResourceTypes/${name}`,
    },
  }))
}

const TEXT = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
}
const BOOLEAN = {
  type: 'boolean',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
}
const COMPLEX = {
  type: 'complex',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
}

const ATTRIBUTES: Readonly<Record<ResourceType, readonly Resource[]>> = {
  User: [
    { ...TEXT, name: 'userName', required: true, uniqueness: 'server' },
    { ...TEXT, name: 'externalId', caseExact: true },
    { ...TEXT, name: 'displayName' },
    {
      ...COMPLEX,
      name: 'name',
      subAttributes: [
        { ...TEXT, name: 'givenName' },
        { ...TEXT, name: 'familyName' },
      ],
    },
    { ...BOOLEAN, name: 'active' },
    {
      ...COMPLEX,
      name: 'emails',
      multiValued: true,
      subAttributes: [
        { ...TEXT, name: 'value' },
        { ...TEXT, name: 'type', canonicalValues: ['work'] },
        { ...BOOLEAN, name: 'primary' },
      ],
    },
  ],
  Group: [
    { ...TEXT, name: 'displayName', required: true, uniqueness: 'server' },
    { ...TEXT, name: 'externalId', caseExact: true },
    {
      ...COMPLEX,
      name: 'members',
      multiValued: true,
      subAttributes: [
        { ...TEXT, name: 'value', caseExact: true, mutability: 'immutable' },
        { ...TEXT, name: 'display', mutability: 'readOnly' },
      ],
    },
  ],
}

export function schemas(origin: string): Resource[] {
  return (['User', 'Group'] as const).map((name) => ({
    schemas: [`${CORE}:Schema`],
    id: `${CORE}:${name}`,
    name,
    attributes: ATTRIBUTES[name],
    meta: { resourceType: 'Schema', location: `${origin}${SCIM_PATH}/Schemas/${CORE}:${name}` },
  }))
}

function metaOf(
  resourceType: ResourceType,
  { id, createdAt, updatedAt }: Pick<DirectoryUserRow, 'id' | 'createdAt' | 'updatedAt'>,
  origin: string,
): Resource {
  return {
    resourceType,
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(updatedAt).toISOString(),
    location: `${origin}${SCIM_PATH}/${resourceType}s/${id}`,
  }
}

/** Omits missing attributes, because directories do not expect null. */
function withoutNulls(attributes: Readonly<Record<string, string | null>>): Resource {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
}
