/**
 * SCIM 2.0 (RFC 7643, RFC 7644) for the directories of identity providers. A directory's token gives access to the users and
 * groups of its own provider. Requests and errors have SCIM's formats instead of those of our own calls.
 */
import { DirectoryRefusal } from '@portico/contracts/admin/directory-refusals'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { SCIM_PATH } from '@portico/contracts/sso-setup'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { toRefusal } from '../http/error-responses.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import { bearerToken } from '../http/visitor.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import type { DirectoryCall } from './directory-access.ts'
import type { DirectoryGroupFilter, DirectoryGroupRow } from './directory-groups.store.ts'
import { directoryGroups } from './directory-groups.ts'
import { type DirectoryRefusals, describeRefusal } from './directory-refusals.ts'
import type { DirectoryUserFilter, Page } from './directory-users.store.ts'
import { directoryUsers } from './directory-users.ts'
import { type CursorScope, type PagePosition, scimCursors } from './scim-cursors.ts'
import { notFound, ScimError } from './scim-error.ts'
import { type Comparison, InvalidFilter, parseFilter, type ResourceType } from './scim-filter.ts'
import { InvalidPatch } from './scim-path.ts'
import {
  applyProjection,
  attributeNames,
  DEFAULT_RESULTS,
  errorBody,
  groupResource,
  isReturned,
  listResponse,
  MAX_RESULTS,
  type Projection,
  resourceTypes,
  schemas,
  serviceProviderConfig,
  userResource,
} from './scim-resources.ts'

const MEDIA_TYPE = 'application/scim+json'
/** Enough for a group with ten thousand members. */
const MAX_BODY_BYTES = 2 * 1024 * 1024
/** The maximum number of members in one response. */
const MAX_MEMBERS_LISTED = 20_000

/** Enough for a directory that sends everyone at once, without slowing down others. */
const DIRECTORY_RATE_LIMIT: RateLimitRule = { allowed: 60_000, windowMs: 60_000 }
/** For invalid tokens. */
const INVALID_TOKEN_RATE_LIMIT: RateLimitRule = { allowed: 60, windowMs: 60_000 }

const INVALID_BODY = `The body is not valid JSON. Send an object as ${MEDIA_TYPE}.`

const Query = z.object({
  filter: z.optional(z.string()),
  startIndex: z.optional(z.string()),
  cursor: z.optional(z.string()),
  count: z.optional(z.string()),
  attributes: z.optional(z.string()),
  excludedAttributes: z.optional(z.string()),
})

interface ScimDeps {
  readonly stores: Pick<AllStores, ScimStores | 'atomically'>
  readonly vault: Pick<Vault, 'mac' | 'macs'>
  readonly clock: Clock
  readonly refusals: DirectoryRefusals
}

type ScimStores =
  | 'audit'
  | 'directoryGroups'
  | 'directoryTokens'
  | 'directoryUsers'
  | 'providers'
  | 'sessions'

export function scim(edge: Edge, { stores, vault, clock, refusals }: ScimDeps): void {
  const users = directoryUsers(stores)
  const groups = directoryGroups(stores)
  const cursors = scimCursors(vault)
  const calls = new WeakMap<FastifyRequest, DirectoryCall>()

  void edge.app.register(serveScim, { prefix: SCIM_PATH })

  async function serveScim(app: FastifyInstance): Promise<void> {
    const parseJson = app.getDefaultJsonParser('error', 'error')
    app.addContentTypeParser(
      [MEDIA_TYPE, 'application/json'],
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (request, body, done) => {
        // Some directories name a type when they delete something, although they send nothing.
        if (body === '') done(null)
        else void parseJson(request, body.toString(), done)
      },
    )
    app.setErrorHandler(async (error, request, reply) => {
      await recordRefusal(error, request)
      return sendError(error, request, reply)
    })
    app.setNotFoundHandler(() => {
      throw new ScimError(404, `${SCIM_PATH} has Users, Groups and the endpoints of discovery.`)
    })
    // Runs before the body is read.
    app.addHook('onRequest', async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      calls.set(request, await authenticate(request, reply))
    })

    // Some directories test the connection with the base URL itself.
    app.get('/', (request, reply) => send(reply, serviceProviderConfig(originOf(request))))

    const options = { bodyLimit: MAX_BODY_BYTES }
    app.get('/Users', async (request, reply) => {
      const { projection, comparisons, ...query } = listQuery(request, 'User')
      const filter = filterOf(comparisons, USER_FILTERS)
      const { rows, total, position } = await pageOf(
        request,
        { type: 'User', comparisons, ...query },
        (page) => stores.directoryUsers.list(callOf(request).directory.id, filter, page),
      )
      const resources = rows.map((row) =>
        applyProjection(userResource(row, originOf(request)), projection),
      )
      return send(reply, listResponse(resources, total, position))
    })
    app.get('/Users/:id', async (request, reply) => {
      const row = await users.get(callOf(request).directory, idOf(request))
      return send(
        reply,
        applyProjection(userResource(row, originOf(request)), projectionOf(request, 'User')),
      )
    })
    app.post('/Users', options, async (request, reply) => {
      const row = await users.create(callOf(request), request.body)
      return sendCreated(reply, userResource(row, originOf(request)))
    })
    app.put('/Users/:id', options, async (request, reply) => {
      const row = await users.replace(callOf(request), idOf(request), request.body)
      return send(reply, userResource(row, originOf(request)))
    })
    app.patch('/Users/:id', options, async (request, reply) => {
      const row = await users.patch(callOf(request), idOf(request), request.body)
      return send(reply, userResource(row, originOf(request)))
    })
    app.delete('/Users/:id', async (request, reply) => {
      await users.delete(callOf(request), idOf(request))
      return reply.code(204).send()
    })

    app.get('/Groups', async (request, reply) => {
      const { projection, comparisons, ...query } = listQuery(request, 'Group')
      const filter = filterOf(comparisons, GROUP_FILTERS)
      const { rows, total, position } = await pageOf(
        request,
        { type: 'Group', comparisons, ...query },
        (page) => stores.directoryGroups.list(callOf(request).directory.id, filter, page),
      )
      const resources = await groupResources(request, rows, projection)
      return send(reply, listResponse(resources, total, position))
    })
    app.get('/Groups/:id', async (request, reply) => {
      const row = await groups.get(callOf(request).directory, idOf(request))
      const [resource] = await groupResources(request, [row], projectionOf(request, 'Group'))
      return send(reply, resource)
    })
    app.post('/Groups', options, async (request, reply) => {
      const row = await groups.create(callOf(request), request.body)
      return sendCreated(reply, groupResource(row, undefined, originOf(request)))
    })
    app.put('/Groups/:id', options, async (request, reply) => {
      const row = await groups.replace(callOf(request), idOf(request), request.body)
      return send(reply, groupResource(row, undefined, originOf(request)))
    })
    // There may be many members, so they are not returned (RFC 7644 3.5.2).
    app.patch('/Groups/:id', options, async (request, reply) => {
      await groups.patch(callOf(request), idOf(request), request.body)
      return reply.code(204).send()
    })
    app.delete('/Groups/:id', async (request, reply) => {
      await groups.delete(callOf(request), idOf(request))
      return reply.code(204).send()
    })

    app.get('/ServiceProviderConfig', (request, reply) =>
      send(reply, serviceProviderConfig(originOf(request))),
    )
    for (const [path, all] of [
      ['/ResourceTypes', resourceTypes],
      ['/Schemas', schemas],
    ] as const) {
      app.get(path, (request, reply) => {
        const resources = all(originOf(request))
        return send(reply, listResponse(resources, resources.length, { startIndex: 1 }))
      })
      app.get(`${path}/:id`, (request, reply) => {
        const id = idOf(request)
        const resource = all(originOf(request)).find((each) => each['id'] === id)
        if (resource === undefined) throw new ScimError(404, `${path} has no ${id}.`)
        return send(reply, resource)
      })
    }
  }

  async function authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<DirectoryCall> {
    const visitor = edge.visitor(request, reply)
    const at = clock()
    const token = bearerToken(request)
    const found = token && (await stores.directoryTokens.find(sha256(token), at))
    if (!found) {
      await enforceRateLimit(
        edge.rateLimit,
        `scim token ${visitor.network}`,
        INVALID_TOKEN_RATE_LIMIT,
      )
      const owner = token && (await stores.directoryTokens.findOrganization(sha256(token)))
      edge.boundedAudit.noteRefusal(
        'directory-refused',
        { details: { token: token ? (owner ? 'expired' : 'unknown') : 'missing' } },
        owner ? { ...visitor, organization: { orgCode: owner } } : visitor,
      )
      void reply.header('www-authenticate', 'Bearer')
      throw new ScimError(
        401,
        'The token is missing, wrong, expired or was replaced. Enter the current token of the identity provider.',
      )
    }
    const { tokenId, lastUsedAt, ...directory } = found
    await enforceRateLimit(edge.rateLimit, `scim ${directory.id}`, DIRECTORY_RATE_LIMIT)
    await stores.directoryTokens.updateUsed({ id: tokenId, lastUsedAt }, at)
    return { directory, at, visitor }
  }

  function callOf(request: FastifyRequest): DirectoryCall {
    const call = calls.get(request)
    if (call === undefined) throw new Error('The request was not authenticated')
    return call
  }

  function originOf(request: FastifyRequest): string {
    return callOf(request).visitor.linkOrigin
  }

  async function recordRefusal(error: unknown, request: FastifyRequest): Promise<void> {
    const call = calls.get(request)
    const described = describeRefusal(error)
    if (call === undefined || described === undefined) return
    const [, resource] = /^\/(Users|Groups)\b/.exec(pathOf(request)) ?? []
    const refusal = DirectoryRefusal.parse({
      method: DirectoryRefusal.shape.method.safeParse(request.method).data ?? 'other',
      resource: resource ?? 'other',
      ...described,
    })
    try {
      await refusals.record(call.directory.id, refusal, call.at)
    } catch (failure) {
      request.log.warn({ err: failure }, 'a refused request of a directory was not recorded')
    }
  }

  /** One page of a list, by index or by cursor, and what the response says of its position. */
  async function pageOf<Row extends PagePosition>(
    request: FastifyRequest,
    { type, comparisons, cursor, startIndex, count }: ListQuery & { readonly type: ResourceType },
    list: (page: Page) => Promise<{ total: number; rows: Row[] }>,
  ) {
    if (cursor === undefined) {
      const page = { offset: startIndex - 1, limit: count }
      return { ...(await list(page)), position: { startIndex } }
    }
    const { directory, at } = callOf(request)
    const scope: CursorScope = { providerId: directory.id, type, comparisons }
    const after = cursor === '' ? 'start' : cursors.read(cursor, scope, at)
    const { total, rows } = await list({ offset: 0, limit: count + 1, after })
    const shown = rows.slice(0, count)
    const last = shown.at(-1)
    const hasNext = last !== undefined && rows.length > count
    const nextCursor = hasNext ? cursors.create(last, scope, at) : undefined
    return { total, rows: shown, position: { nextCursor } }
  }

  /** Groups with their members, unless the directory excludes them. */
  async function groupResources(
    request: FastifyRequest,
    rows: readonly DirectoryGroupRow[],
    projection: Projection,
  ) {
    const ids = rows.map(({ id }) => id)
    const withMembers = ids.length > 0 && isReturned('members', projection)
    const members = withMembers
      ? await stores.directoryGroups.listMembers(ids, MAX_MEMBERS_LISTED + 1)
      : []
    if (members.length > MAX_MEMBERS_LISTED) {
      throw new ScimError(
        400,
        `There are more than ${MAX_MEMBERS_LISTED} members. Add excludedAttributes=members, or ask for one: filter=id eq "…" and members.value eq "…".`,
        'tooMany',
      )
    }
    const byGroup = Map.groupBy(members, ({ groupId }) => groupId)
    return rows.map((row) => {
      const own = withMembers ? (byGroup.get(row.id) ?? []) : undefined
      return applyProjection(groupResource(row, own, originOf(request)), projection)
    })
  }
}

/** The attributes that users can be filtered by, and the columns they compare. */
const USER_FILTERS: Readonly<Record<string, keyof DirectoryUserFilter>> = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
  emails: 'email',
  'emails.value': 'email',
  active: 'active',
}

const GROUP_FILTERS: Readonly<Record<string, keyof DirectoryGroupFilter>> = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
  members: 'member',
  'members.value': 'member',
}

/** @throws ScimError - `invalidFilter` for an attribute that is not in the table, or with a value of another type */
function filterOf<Name extends string>(
  comparisons: readonly Comparison[],
  table: Readonly<Record<string, Name>>,
): Partial<Record<Name, string>> & { active?: boolean } {
  if (new Set(comparisons.map(({ attribute }) => attribute)).size < comparisons.length) {
    throw new ScimError(400, 'Compare each attribute once.', 'invalidFilter')
  }
  const entries = comparisons.map(({ attribute, value }) => {
    const name = Object.hasOwn(table, attribute) ? table[attribute] : undefined
    if (name === undefined || (name === 'active') !== (typeof value === 'boolean')) {
      throw new ScimError(
        400,
        `The filter on ${attribute} is not supported. Filter by ${Object.keys(table).join(', ')}; active is true or false, the others are text.`,
        'invalidFilter',
      )
    }
    return [name, value] as const
  })
  return Object.fromEntries(entries) as Partial<Record<Name, string>> // The types were checked above.
}

interface ListQuery {
  readonly comparisons: readonly Comparison[]
  /** Empty for the first page; undefined for pages by index. */
  readonly cursor: string | undefined
  readonly startIndex: number
  readonly count: number
}

function listQuery(
  request: FastifyRequest,
  type: ResourceType,
): ListQuery & { readonly projection: Projection } {
  const query = queryOf(request)
  const { cursor } = query
  if (cursor !== undefined && query.startIndex !== undefined) {
    throw new ScimError(400, 'Send either startIndex or cursor.', 'invalidValue')
  }
  return {
    comparisons: query.filter === undefined ? [] : parseFilter(query.filter, type),
    cursor,
    startIndex: Math.max(1, readInteger('startIndex', query.startIndex) ?? 1),
    count: cursor === undefined ? indexCount(query.count) : cursorCount(query.count),
    projection: projectionOf(request, type),
  }
}

function indexCount(text: string | undefined): number {
  const count = readInteger('count', text) ?? DEFAULT_RESULTS
  return Math.min(Math.max(0, count), MAX_RESULTS)
}

/** RFC 9865 2.1. A count above the maximum returns fewer, as by index. */
function cursorCount(text: string | undefined): number {
  const count = Number(text ?? DEFAULT_RESULTS)
  if (Number.isInteger(count) && count > 0) return Math.min(count, MAX_RESULTS)
  throw new ScimError(400, `count must be between 1 and ${MAX_RESULTS}.`, 'invalidCount')
}

function projectionOf(request: FastifyRequest, type: ResourceType): Projection {
  const { attributes = '', excludedAttributes = '' } = queryOf(request)
  return {
    attributes: attributeNames(attributes, type),
    excludedAttributes: attributeNames(excludedAttributes, type),
  }
}

/** @throws ScimError - for a parameter that is sent twice */
function queryOf(request: FastifyRequest): z.output<typeof Query> {
  const query = Query.safeParse(request.query)
  if (query.success) return query.data
  throw new ScimError(400, 'Send each parameter of the query once.', 'invalidValue')
}

function readInteger(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new ScimError(400, `${name} must be a whole number.`, 'invalidValue')
}

/** The path of the route, without values. */
function pathOf({ routeOptions }: FastifyRequest): string {
  return (routeOptions.url ?? '').slice(SCIM_PATH.length)
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string } // The route's pattern has it.
  // The database would reject it.
  if (id.includes('\0')) throw notFound(id.replaceAll('\0', '%00'))
  return id
}

function send(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.type(MEDIA_TYPE).send(body)
}

function sendCreated(reply: FastifyReply, resource: ReturnType<typeof userResource>): FastifyReply {
  const { location } = resource['meta'] as { location: string } // Every resource has it.
  return send(reply.code(201).header('location', location), resource)
}

/** Responds to every error in the format of RFC 7644 3.12. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ScimError) {
    return send(reply.code(error.status), errorBody(error.status, error.message, error.scimType))
  }
  if (error instanceof InvalidPatch || error instanceof InvalidFilter) {
    const scimType = error instanceof InvalidPatch ? error.scimType : 'invalidFilter'
    return send(reply.code(400), errorBody(400, error.message, scimType))
  }
  const { code, retryAfterS } = toRefusal(error)
  const { status, message } = ERROR_CATALOG[code]
  if (status >= 500) request.log.error({ reqId: request.id, err: error }, 'SCIM failed')
  if (retryAfterS !== undefined) void reply.header('retry-after', retryAfterS)
  return code === 'invalid-request'
    ? send(reply.code(400), errorBody(400, INVALID_BODY, 'invalidSyntax'))
    : send(reply.code(status), errorBody(status, message))
}
