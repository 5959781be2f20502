import { fakeClient, refusal } from '@portico/client/testing'
import { neverAborted } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { lookUpIdentity } from './provider-calls.ts'

const LOGIN = { userType: 'agent', jwt: 'jwt' } as const

const lookUp = async (answers: Record<string, unknown>) => {
  const { client, calls } = fakeClient(answers)
  const found = lookUpIdentity(client, LOGIN, neverAborted)
  return { found: await found.catch((error: unknown) => error), calls }
}

test('4.4 the identity lookups: the broker decides', async () => {
  const { found, calls } = await lookUp({ readAgentFigureInfo: {} })
  expect(found).toBe(true)
  expect(calls.map(({ name }) => name)).toEqual(['readAgentFigureInfo'])
  expect(calls[0]?.headers).toEqual({
    authorization: 'Bearer jwt',
    'x-application-name': 'auth',
  })
})

test('4.4 the identity lookups: otherwise the legacy identity decides', async () => {
  const { found, calls } = await lookUp({
    readAgentFigureInfo: refusal('user-type-refused'),
    readIdentity: {},
  })
  expect(found).toBe(true)
  expect(calls.map(({ name }) => name)).toEqual(['readAgentFigureInfo', 'readIdentity'])
})

test('8 neither identity lookup succeeds', async () => {
  const refused = { readAgentFigureInfo: refusal('not-found'), readIdentity: refusal('not-found') }
  expect((await lookUp(refused)).found).toBe(false)
  const failed = { ...refused, readIdentity: refusal('server-fault') }
  expect((await lookUp(failed)).found).toBeInstanceOf(Error)
})
