import { ACCOUNT_SECURITY_CALLS } from '@portico/contracts/account-security'
import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import { EXPERIMENT_CALLS } from '@portico/contracts/experiments'
import { HOSTED_WALLET_CALLS } from '@portico/contracts/hosted-wallet'
import { IDENTITY_CALLS } from '@portico/contracts/identity'
import { LEAD_PORTAL_CALLS } from '@portico/contracts/lead-portal'
import { ORGANIZATION_ACCOUNT_CALLS } from '@portico/contracts/organization-account'
import { SHORT_LINK_CALLS } from '@portico/contracts/short-links'
import { TELEMETRY_CALLS } from '@portico/contracts/telemetry'
import { TWO_FACTOR_CALLS } from '@portico/contracts/two-factor'
import { WALLET_CALLS } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { openApi, refusalsOf } from './openapi.ts'
import { referencePage } from './reference-page.ts'

interface Operation {
  readonly operationId: string
  readonly security?: object[]
  readonly parameters: { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> }
  readonly responses: Record<string, { readonly description: string; readonly content?: object }>
}

const CALLS = [
  ...IDENTITY_CALLS,
  ...TWO_FACTOR_CALLS,
  ...ACCOUNT_SECURITY_CALLS,
  ...LEAD_PORTAL_CALLS,
  ...SHORT_LINK_CALLS,
  ...EXPERIMENT_CALLS,
  ...TELEMETRY_CALLS,
  ...WALLET_CALLS,
  ...HOSTED_WALLET_CALLS,
  ...ORGANIZATION_ACCOUNT_CALLS,
]
// The description is plain data of this form, which the first test proves for every call.
const described = openApi('1.2.3') as {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
}

test('9 every declared call is described, and nothing else', () => {
  expect([described.openapi, described.info.version]).toEqual(['3.1.0', '1.2.3'])
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  )
  expect(operations.sort()).toEqual(
    CALLS.map(({ method, path, name }) => `${method.toLowerCase()} ${path} ${name}`).sort(),
  )
})

test.each(CALLS.map((call) => [call.name, call] as const))(
  '9 %s is described with its input, its answer and each refusal under its status',
  (_, call) => {
    const operation = described.paths[call.path]?.[call.method.toLowerCase()]
    if (operation === undefined) throw new Error('The call is not described')
    expect(operation.requestBody !== undefined).toBe(call.body !== undefined)
    if (call.body !== undefined) {
      const schema = operation.requestBody?.content['application/json']?.schema
      const { anyOf, oneOf } = (schema ?? {}) as { anyOf?: object[]; oneOf?: object[] }
      const forms = anyOf ?? oneOf ?? [schema]
      expect(forms).toEqual(
        forms.map(() => expect.objectContaining({ type: 'object', additionalProperties: false })),
      )
    }
    expect(operation.responses[call.answer === undefined ? 204 : 200]).toBeDefined()
    for (const code of [...refusalsOf(call), ...call.refusals]) {
      const { status, message } = ERROR_CATALOGUE[code]
      expect(operation.responses[status]?.description).toContain(`${code}: ${message}`)
    }
    expect(operation.security !== undefined).toBe(call.auth !== 'none')
    expect(JSON.parse(JSON.stringify(operation))).toEqual(operation)
  },
)

test('9 query parameters and headers are described where a call takes them', () => {
  const names = (path: string, method: string) =>
    described.paths[path]?.[method]?.parameters.map((each) => `${each.in} ${each.name}`)
  expect(names('/identity/api/v1/identity/registration/verification', 'get')).toEqual([
    'query identityUuid',
    'query borrowerEmail',
    'query organization',
    'query loginUuid',
  ])
  expect(names('/identity/api/v2/login', 'post')).toEqual(['header x-recaptcha-token'])
})

test('9 the reference page shows every call', () => {
  const page = referencePage('1.2.3')
  for (const { method, path, summary } of CALLS) {
    expect(page).toContain(`<h3>${method} ${path}</h3>`)
    expect(page).toContain(summary.replaceAll("'", '&#39;'))
  }
})
