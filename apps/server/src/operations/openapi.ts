/** The OpenAPI description and the reference page, both derived from the declared calls. */
import { ACCOUNT_SECURITY_CALLS } from '@portico/contracts/account-security'
import type { Call, Schema } from '@portico/contracts/call'
import { ERROR_CATALOGUE, type ErrorCode } from '@portico/contracts/errors'
import { EXPERIMENT_CALLS } from '@portico/contracts/experiments'
import { HOSTED_WALLET_CALLS } from '@portico/contracts/hosted-wallet'
import { IDENTITY_CALLS } from '@portico/contracts/identity'
import { LEAD_PORTAL_CALLS } from '@portico/contracts/lead-portal'
import { ORGANIZATION_ACCOUNT_CALLS } from '@portico/contracts/organization-account'
import { SHORT_LINK_CALLS } from '@portico/contracts/short-links'
import { TELEMETRY_CALLS } from '@portico/contracts/telemetry'
import { TWO_FACTOR_CALLS } from '@portico/contracts/two-factor'
import { STORED_JWT_HEADER, WALLET_CALLS } from '@portico/contracts/wallet'
import * as z from 'zod/mini'

/** Every call of the API, module by module. */
export const API_CALLS: Readonly<Record<string, readonly Call[]>> = {
  identity: IDENTITY_CALLS,
  'two-factor': TWO_FACTOR_CALLS,
  'account security': ACCOUNT_SECURITY_CALLS,
  'lead portal': LEAD_PORTAL_CALLS,
  'short links': SHORT_LINK_CALLS,
  telemetry: TELEMETRY_CALLS,
  experiments: EXPERIMENT_CALLS,
  wallet: [...WALLET_CALLS, ...ORGANIZATION_ACCOUNT_CALLS, ...HOSTED_WALLET_CALLS],
}

/** Codes that any call may answer with, by what it takes. */
export function refusalsOf(call: Call): readonly ErrorCode[] {
  return [
    'invalid-request',
    ...(call.auth === 'session' || call.auth === 'wallet'
      ? (['session-ended', 'unauthenticated'] as const)
      : []),
    ...(call.method === 'GET' ? [] : (['request-too-large', 'unsupported-media-type'] as const)),
    ...(call.method === 'GET' || call.origins === 'any' ? [] : (['foreign-origin'] as const)),
    'too-many-requests',
    'server-fault',
    ...call.refusals,
  ]
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'message', 'errors'],
  properties: {
    code: { type: 'string', description: 'What to decide on.' },
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'string' },
      description: 'One sentence for each fault.',
    },
  },
}

/** The OpenAPI 3.1 description of the whole API. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, calls] of Object.entries(API_CALLS)) {
    for (const call of calls) {
      const path = (paths[call.path] ??= {})
      path[call.method.toLowerCase()] = operation(tag, call)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version,
      description:
        'The API behind the front door. Calls that need a session need both its token, in the authorization header, and its cookie; a token in its second half is renewed in the authorization header of the answer.',
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT (ES256K)' },
        walletToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT (ES256K)' },
        storedToken: { type: 'apiKey', in: 'header', name: STORED_JWT_HEADER },
        cookie: { type: 'apiKey', in: 'cookie', name: '__Host-portico-session' },
      },
      schemas: { Error: ERROR_SCHEMA },
    },
    paths,
  }
}

function operation(tag: string, call: Call): object {
  return {
    operationId: call.name,
    tags: [tag],
    summary: call.summary,
    ...(call.auth === 'session' ? { security: [{ token: [], cookie: [] }] } : {}),
    ...(call.auth === 'wallet'
      ? { security: [{ walletToken: [], storedToken: [], cookie: [] }] }
      : {}),
    ...(call.auth === 'cookie' ? { security: [{ cookie: [] }] } : {}),
    parameters: [...headerParameters(call), ...queryParameters(call)],
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(jsonSchema(call.body, 'input')) } }),
    responses: { ...answerOf(call), ...refusalResponses(call) },
  }
}

function headerParameters({ headers = {} }: Call): object[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Call): object[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function answerOf({ answer }: Call): object {
  return answer === undefined
    ? { 204: { description: 'Done.' } }
    : { 200: { description: 'The answer.', content: json(jsonSchema(answer, 'output')) } }
}

function refusalResponses(call: Call): object {
  const byStatus = Map.groupBy(refusalsOf(call), (code) => ERROR_CATALOGUE[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${ERROR_CATALOGUE[code].message}`).join(' | '),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

const json = (schema: object) => ({ 'application/json': { schema } })

function jsonSchema(schema: Schema, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
