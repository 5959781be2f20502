import { APPROVABLE_ACTS } from '@portico/contracts/admin/second-operator'
import { Bytes } from '@portico/contracts/call'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { expect, test } from 'vitest'
import { CALLS, exampleOf, openApi, refusalsOf } from './openapi.ts'
import { referencePage } from './reference-page.ts'

interface Operation {
  readonly operationId: string
  readonly security: object[]
  readonly parameters: {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly example?: unknown
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Record<string, { readonly content?: Content } | { readonly $ref: string }>
}

type Content = Record<
  string,
  { readonly schema: { readonly $ref: string }; readonly example: unknown }
>

// The first test proves that the description has this structure for every call.
const described = openApi('1.2.3') as {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { anyOf?: object[]; oneOf?: object[] }>
    responses: Record<string, { description: string }>
  }
}

/** Resolves a reference to a component. */
function named<Component>(components: Record<string, Component>, { $ref }: { $ref: string }) {
  const component = components[$ref.split('/').at(-1) ?? '']
  if (component === undefined) throw new Error(`${$ref} is not described`)
  return component
}

test('9 every declared call is described, and no other', () => {
  expect([described.openapi, described.info.version]).toEqual(['3.1.0', '1.2.3'])
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  )
  expect(operations.sort()).toEqual(
    CALLS.map(({ method, path, name }) => `${method.toLowerCase()} ${path} ${name}`).sort(),
  )
})

test.each(CALLS.map((call) => [call.name, call] as const))(
  '9 %s is described with its input, its response and each refusal by status',
  (_, call) => {
    const operation = described.paths[call.path]?.[call.method.toLowerCase()]
    if (operation === undefined) throw new Error('The call is not described')
    const { request, response, query } = exampleOf(call)
    expect(operation.requestBody !== undefined).toBe(call.body !== undefined)
    if (call.body === Bytes) {
      expect(operation.requestBody?.content).toEqual({ 'application/octet-stream': {} })
    } else if (call.body !== undefined) {
      const body = operation.requestBody?.content['application/json']
      if (body === undefined) throw new Error('The body is not described')
      const schema = named(described.components.schemas, body.schema)
      const forms = schema.anyOf ?? schema.oneOf ?? [schema]
      expect(forms).toEqual(
        forms.map(() => expect.objectContaining({ type: 'object', additionalProperties: false })),
      )
      expect(body.example).toEqual(request)
      expect(call.body.safeParse(request).error).toBeUndefined()
    }
    if (call.query !== undefined) {
      expect(operation.parameters.filter((each) => each.in === 'query')).toEqual(
        Object.entries(query ?? {}).map(([name, parameter]) =>
          expect.objectContaining({ name, ...parameter }),
        ),
      )
      const examples = Object.entries(query ?? {}).map(([name, { example }]) => [name, example])
      expect(call.query.safeParse(Object.fromEntries(examples)).error).toBeUndefined()
    }
    const answer = operation.responses[call.answer === undefined ? 204 : 200]
    expect(answer).toBeDefined()
    if (call.answer !== undefined) {
      if (call.answer === Bytes) {
        expect(answer).toHaveProperty('content', { 'application/octet-stream': {} })
      } else {
        expect(answer).toHaveProperty(['content', 'application/json', 'example'], response)
      }
      expect(call.answer.safeParse(response).error).toBeUndefined()
    }
    for (const code of [...refusalsOf(call), ...call.refusals]) {
      const { status, message } = ERROR_CATALOG[code]
      const refusal = operation.responses[status]
      if (refusal === undefined || !('$ref' in refusal)) throw new Error(`${code} is not described`)
      const { description } = named(described.components.responses, refusal)
      expect(description).toContain(`${code}: ${message}`)
    }
    expect(operation.security.length > 0).toBe(call.auth !== 'none')
    expect(JSON.parse(JSON.stringify(operation))).toEqual(operation)
  },
)

test('9 query parameters and headers are described for calls that use them', () => {
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

test('15 only calls that can require a second operator may return 202', () => {
  const accepting = CALLS.filter(({ accepted }) => accepted !== undefined)
  expect(accepting.map(({ name }) => name).sort()).toEqual([...APPROVABLE_ACTS].sort())
  const operations = Object.values(described.paths).flatMap((path) => Object.values(path))
  expect(
    operations.filter(({ responses }) => '202' in responses).map((each) => each.operationId),
  ).toHaveLength(APPROVABLE_ACTS.length)
})
