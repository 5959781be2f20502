/**
 * Generates the OpenAPI description from the declared calls. Schemas exported by `contracts` keep their names; other
 * bodies and responses are named after their call.
 */
import * as accountSecurity from '@portico/contracts/account-security'
import * as actRequests from '@portico/contracts/admin/act-requests'
import * as audit from '@portico/contracts/admin/audit'
import * as adminBanners from '@portico/contracts/admin/banners'
import * as adminExperiments from '@portico/contracts/admin/experiments'
import * as insight from '@portico/contracts/admin/insight'
import * as operations from '@portico/contracts/admin/operations'
import * as operators from '@portico/contracts/admin/operators'
import * as adminOrganizations from '@portico/contracts/admin/organizations'
import * as people from '@portico/contracts/admin/people'
import * as secondOperator from '@portico/contracts/admin/second-operator'
import * as broker from '@portico/contracts/broker'
import { Bytes, type Call, type Schema } from '@portico/contracts/call'
import * as emailAddress from '@portico/contracts/email-address'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { ErrorCode } from '@portico/contracts/errors'
import * as experiments from '@portico/contracts/experiments'
import * as hostedWallet from '@portico/contracts/hosted-wallet'
import * as identity from '@portico/contracts/identity'
import * as leadPortal from '@portico/contracts/lead-portal'
import { IDEMPOTENCY_HEADER } from '@portico/contracts/limits'
import * as organizationAccount from '@portico/contracts/organization-account'
import * as pageData from '@portico/contracts/page-data'
import * as passport from '@portico/contracts/passport'
import * as passportFiles from '@portico/contracts/passport-files'
import * as passportReview from '@portico/contracts/passport-review'
import * as push from '@portico/contracts/push'
import * as shortLinks from '@portico/contracts/short-links'
import * as ssoSetup from '@portico/contracts/sso-setup'
import * as telemetry from '@portico/contracts/telemetry'
import * as text from '@portico/contracts/text'
import * as twoFactor from '@portico/contracts/two-factor'
import * as wallet from '@portico/contracts/wallet'
import * as walletOffers from '@portico/contracts/wallet-offers'
import * as z from 'zod/mini'
import { APPROVAL_NEEDED } from './openapi-admin-examples.ts'
import { EXAMPLES } from './openapi-examples.ts'

interface ApiPart {
  readonly name: string
  readonly description: string
  readonly calls: readonly Call[]
}

/** All API calls by area. */
export const API_PARTS: readonly ApiPart[] = [
  {
    name: 'identity',
    description: 'Log in, register, set a password, read the identity, log out.',
    calls: identity.IDENTITY_CALLS,
  },
  {
    name: 'two-factor',
    description: 'The second step of a login, and passkeys.',
    calls: twoFactor.TWO_FACTOR_CALLS,
  },
  {
    name: 'account security',
    description: 'Changes on the security page.',
    calls: accountSecurity.ACCOUNT_SECURITY_CALLS,
  },
  {
    name: 'broker',
    description: "Log in with an organization's identity provider.",
    calls: broker.BROKER_CALLS,
  },
  {
    name: 'broker setup',
    description:
      "Set up an organization's identity provider, with the cookie of an opened setup link.",
    calls: ssoSetup.SSO_SETUP_CALLS,
  },
  {
    name: 'lead portal',
    description: 'Borrowers referred by a partner.',
    calls: leadPortal.LEAD_PORTAL_CALLS,
  },
  {
    name: 'wallet offers',
    description: "The names and store links of the lender's wallets, for pages of any origin.",
    calls: walletOffers.WALLET_OFFER_CALLS,
  },
  {
    name: 'short links',
    description: 'Short links that open the mobile wallet.',
    calls: shortLinks.SHORT_LINK_CALLS,
  },
  {
    name: 'notifications',
    description:
      'Notifications of mobile wallets about requests that arrive while they are closed.',
    calls: push.PUSH_CALLS,
  },
  {
    name: 'telemetry',
    description: 'Visits and their events.',
    calls: telemetry.TELEMETRY_CALLS,
  },
  {
    name: 'experiments',
    description: 'Experiment decisions and exposures.',
    calls: experiments.EXPERIMENT_CALLS,
  },
  {
    name: 'wallet',
    description: 'Wallets, the accounts they sign for, and the hosted wallet.',
    calls: [
      ...wallet.WALLET_CALLS,
      ...organizationAccount.ORGANIZATION_ACCOUNT_CALLS,
      ...hostedWallet.HOSTED_WALLET_CALLS,
    ],
  },
  {
    name: 'passport',
    description:
      'The investor passport of an account: its statuses, answers, members and evidence.',
    calls: [...passport.PASSPORT_CALLS, ...passportFiles.PASSPORT_FILE_CALLS],
  },
  {
    name: 'passport review',
    description: 'Decisions about submitted passports, for reviewers.',
    calls: passportReview.PASSPORT_REVIEW_CALLS,
  },
  {
    name: 'admin: operators',
    description: 'Who calls the admin API.',
    calls: operators.OPERATOR_CALLS,
  },
  {
    name: 'admin: second operators',
    description: 'Acts that wait until another operator approves them.',
    calls: actRequests.ACT_REQUEST_CALLS,
  },
  {
    name: 'admin: organizations',
    description:
      'What operators edit over the files of organizations: drafts, publication, undo and preview.',
    calls: adminOrganizations.ORGANIZATION_CALLS,
  },
  {
    name: 'admin: people',
    description: 'The people of the organizations that an operator works for.',
    calls: people.PEOPLE_CALLS,
  },
  {
    name: 'admin: banners',
    description: 'What operators publish over the banner file.',
    calls: adminBanners.ADMIN_BANNER_CALLS,
  },
  {
    name: 'admin: experiments',
    description: 'Runs of experiments and their results.',
    calls: adminExperiments.ADMIN_EXPERIMENT_CALLS,
  },
  {
    name: 'admin: insight',
    description: 'Funnels and counts over time.',
    calls: insight.INSIGHT_CALLS,
  },
  {
    name: 'admin: audit',
    description: 'The audit log.',
    calls: audit.AUDIT_CALLS,
  },
  {
    name: 'admin: operations',
    description: 'The nodes, what waits, and the certificates that end soon.',
    calls: operations.OPERATIONS_CALLS,
  },
]

export const CALLS = API_PARTS.flatMap(({ calls }) => calls)

const OPERATOR_REFUSALS = ['session-ended', 'unauthenticated', 'service-token-refused'] as const

const PERMISSION_REFUSALS = ['not-permitted', 'second-factor-missing', 'operator-idle'] as const

const IDEMPOTENCY_REFUSALS = ['idempotency-key-reused', 'idempotency-pending'] as const

/** The error codes with which a call may respond. */
export function refusalsOf(call: Call): readonly ErrorCode[] {
  return [
    'invalid-request',
    ...(call.auth === 'session' || call.auth === 'wallet'
      ? (['session-ended', 'unauthenticated'] as const)
      : []),
    ...(call.auth === 'operator' ? OPERATOR_REFUSALS : []),
    ...(call.permission === undefined ? [] : PERMISSION_REFUSALS),
    ...(call.stepUp ? (['confirmation-needed'] as const) : []),
    ...(call.accepted === undefined ? [] : (['already-requested'] as const)),
    ...(call.auth === 'operator' && call.method !== 'GET' ? IDEMPOTENCY_REFUSALS : []),
    ...(call.method === 'GET' ? [] : (['request-too-large', 'unsupported-media-type'] as const)),
    ...(call.method === 'GET' || call.origins === 'any' ? [] : (['foreign-origin'] as const)),
    'too-many-requests',
    'server-fault',
    'not-ready',
    ...call.refusals,
  ]
}

const AUTHENTICATION: Readonly<Record<Call['auth'], string>> = {
  none: 'No session required.',
  cookie: 'Uses the session cookie if the browser sends one; no token header required.',
  session:
    'Requires a session: its token in the `authorization` header, with the prefix `Bearer `, and its cookie. A token in the second half of its lifetime is renewed in the `authorization` header of the response.',
  wallet: `Requires the wallet's token in the \`authorization\` header, the session's token in \`${wallet.STORED_JWT_HEADER}\`, and the session cookie.`,
  operator:
    'Requires an operator: a session as above, proven with a passkey or an authenticator and used in the last fifteen minutes, or a service token (`ptk_…`) in the `authorization` header, with the prefix `Bearer `.',
}

function authenticationOf({ auth, permission, stepUp }: Call): string {
  return [
    AUTHENTICATION[auth],
    ...(permission === undefined ? [] : [`Permission: \`${permission}\`.`]),
    ...(stepUp === undefined
      ? []
      : ['A person must have used a passkey or an authenticator in the last five minutes.']),
  ].join(' ')
}

const SECURITY: Readonly<Record<Call['auth'], readonly object[]>> = {
  none: [],
  cookie: [{ cookie: [] }],
  session: [{ token: [], cookie: [] }],
  wallet: [{ walletToken: [], storedToken: [], cookie: [] }],
  operator: [{ token: [], cookie: [] }, { serviceToken: [] }],
}

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT (ES256K)',
    description: 'The session token.',
  },
  walletToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT (ES256K)',
    description: 'A token signed by the wallet.',
  },
  serviceToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ptk_…',
    description: 'The token of a program that calls the admin API.',
  },
  storedToken: {
    type: 'apiKey',
    in: 'header',
    name: wallet.STORED_JWT_HEADER,
    description: 'The session token, when `authorization` contains the wallet token.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-portico-session',
    description: 'The session cookie; `portico-session` on origins without TLS.',
  },
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'message', 'errors'],
  properties: {
    code: { type: 'string', description: 'The error code, for programs.' },
    message: { type: 'string' },
    errors: { type: 'array', items: { type: 'string' }, description: 'One sentence per error.' },
  },
}

/** The OpenAPI 3.1 description of the whole API. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { name, calls } of API_PARTS) {
    for (const call of calls) {
      const path = (paths[call.path] ??= {})
      path[call.method.toLowerCase()] = operation(name, call)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version,
      description: 'The API behind the front door.',
      contact: { name: 'The operator of this installation' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The installation that serves this description.' }],
    tags: API_PARTS.map(({ name, description }) => ({ name, description })),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...componentSchemas(), Error: ERROR_SCHEMA },
      responses: componentResponses(),
    },
    paths,
  }
}

function operation(tag: string, call: Call): object {
  const { request, response } = exampleOf(call)
  return {
    operationId: call.name,
    tags: [tag],
    summary: call.summary,
    description: authenticationOf(call),
    security: SECURITY[call.auth],
    parameters: [...headerParameters(call), ...queryParameters(call)],
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: true, content: content(call.body, request) } }),
    responses: {
      ...(call.answer === undefined
        ? { 204: { description: 'Done.' } }
        : {
            200: { description: 'The response.', content: content(call.answer, response) },
          }),
      ...(call.accepted === undefined
        ? {}
        : {
            202: {
              description:
                'Nothing is done yet: the installation requires that another operator approves it.',
              content: content(call.accepted, APPROVAL_NEEDED),
            },
          }),
      ...refusalResponses(call),
    },
  }
}

/** @throws Error - when the call has no example */
export function exampleOf(call: Call) {
  const example = EXAMPLES.get(call)
  if (example === undefined) {
    const file = call.auth === 'operator' ? 'openapi-admin-examples.ts' : 'openapi-examples.ts'
    throw new Error(`Add an example of ${call.name} to ${file}`)
  }
  return example
}

function headerParameters({ auth, method, headers = {} }: Call): object[] {
  const idempotency =
    auth === 'operator' && method !== 'GET'
      ? {
          [IDEMPOTENCY_HEADER]:
            'Makes a repeated request once: 8 to 128 characters, new for each write. Stored for a day.',
        }
      : {}
  return Object.entries({ ...idempotency, ...headers })
    .filter(([name]) => name.toLowerCase() !== 'authorization') // Covered by the security scheme.
    .map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } }))
}

function queryParameters(call: Call): object[] {
  if (call.query === undefined) return []
  const { properties = {}, required = [] } = inlineJsonSchema(call.query) as {
    properties?: Record<string, object>
    required?: string[]
  }
  const { query = {} } = exampleOf(call)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...query[name],
  }))
}

/** Refusals by status. Calls with the same codes share a named response. */
function refusalResponses(call: Call): object {
  return Object.fromEntries(
    refusalsByStatus(call).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${responseName(codes)}` },
    ]),
  )
}

function componentResponses(): Record<string, object> {
  const responses = CALLS.flatMap(refusalsByStatus).map(([, codes]) => [
    responseName(codes),
    {
      description: codes.map((code) => `${code}: ${ERROR_CATALOG[code].message}`).join(' | '),
      content: json({ $ref: referenceTo('Error') }, errorExample(codes)),
    },
  ])
  return Object.fromEntries(responses)
}

const refusalsByStatus = (call: Call) => [
  ...Map.groupBy(refusalsOf(call), (code) => ERROR_CATALOG[code].status),
]

const responseName = (codes: readonly ErrorCode[]) => codes.map(pascalCase).join('Or')

const pascalCase = (text: string) =>
  text.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

function errorExample([code = 'server-fault']: readonly ErrorCode[]) {
  const { message } = ERROR_CATALOG[code]
  return { code, message, errors: [message] }
}

const content = (schema: Schema, example: unknown) =>
  schema === Bytes ? BINARY : json(reference(schema), example)

/** Bytes have no schema in OpenAPI 3.1. */
const BINARY = { 'application/octet-stream': {} }

const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } })

const SCHEMAS = schemaRegistry()

const referenceTo = (name: string) => `#/components/schemas/${name}`

function reference(schema: Schema): object {
  return { $ref: referenceTo(SCHEMAS.get(schema)?.id ?? '') }
}

function schemaRegistry() {
  const registry = z.registry<{ id: string }>()
  const ids = new Set<string>()
  const add = (schema: z.core.$ZodType, id: string) => {
    if (ids.has(id)) throw new Error(`Two schemas of the contracts are called ${id}`)
    ids.add(id)
    registry.add(schema, { id })
  }
  const modules = [
    text,
    emailAddress,
    pageData,
    identity,
    twoFactor,
    accountSecurity,
    broker,
    wallet,
    hostedWallet,
    passport,
    passportReview,
    operators,
    secondOperator,
    actRequests,
    people,
    experiments,
    telemetry,
  ]
  for (const [name, schema] of modules.flatMap((module) => Object.entries<unknown>(module))) {
    if (schema instanceof z.core.$ZodType && !registry.has(schema)) {
      add(schema, name)
    }
  }
  for (const { name, body, answer } of CALLS) {
    const prefix = pascalCase(name)
    if (body !== undefined && body !== Bytes && !registry.has(body)) add(body, `${prefix}Request`)
    if (answer !== undefined && answer !== Bytes && !registry.has(answer)) {
      add(answer, `${prefix}Response`)
    }
  }
  return registry
}

/** The named schemas that calls reference directly or indirectly. */
function componentSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(SCHEMAS, {
    io: 'input',
    unrepresentable: 'any',
    uri: referenceTo,
    override: plainSchema,
  })
  const used: Record<string, object> = {}
  const include = (name: string) => {
    if (used[name] !== undefined) return
    const { $schema: _, $id: __, ...schema } = schemas[name] ?? {}
    used[name] = schema
    for (const [, inner = ''] of JSON.stringify(schema).matchAll(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
    )) {
      include(inner)
    }
  }
  for (const { body, answer, accepted } of CALLS) {
    for (const schema of [body, answer, accepted]) {
      if (schema !== undefined && schema !== Bytes) include(SCHEMAS.get(schema)?.id ?? '')
    }
  }
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Converts a schema to JSON Schema without references. */
export function inlineJsonSchema(schema: Schema): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: plainSchema,
  })
  return rest
}

/** Drops the pattern if a format implies it. */
function plainSchema({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }) {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
}
