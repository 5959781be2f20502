import { ApiError } from '@portico/client/api-error'
import { fakeClient, refusal } from '@portico/client/testing'
import type { FlowRequest } from '@portico/contracts/flow-request'
import { memoryStorage } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { openGatekeeper } from './open-gatekeeper.ts'
import { memoryJwt } from './testing.tsx'

const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'
const REQUEST: FlowRequest = { intent: 'kyc', redirectUrl: '/loans' }
const UNKNOWN = {
  kycStatus: 'UNKNOWN_STATUS',
  attestationStatus: 'UNKNOWN_STATUS',
  attestationVerificationStatus: 'UNKNOWN_STATUS',
}

function world(answer: unknown) {
  const { client, calls } = fakeClient({ readPassportStatus: answer })
  const deviceStorage = memoryStorage()
  const logged: (readonly string[])[] = []
  const gatekeeper = openGatekeeper({
    client,
    deviceStorage,
    jwt: memoryJwt(),
    logViolations: (violations) => logged.push(violations),
  })
  return { gatekeeper, calls, deviceStorage, logged }
}

test('4.10 the statuses decide where the request leads, and the request is stored locally', async () => {
  const { gatekeeper, deviceStorage } = world({ status: UNKNOWN })
  expect(await gatekeeper(REQUEST)).toEqual({
    path: '/universal-passport/onboarding/type-of-investor',
  })
  expect(JSON.parse(deviceStorage.read('last-gatekeeper-flow-request') ?? '')).toEqual(REQUEST)
  const begun = world({ passportUuid: UUID, status: { ...UNKNOWN, kycStatus: 'IN_PROGRESS' } })
  expect(await begun.gatekeeper(REQUEST)).toEqual({
    path: `/universal-passport/onboarding/${UUID}/resume`,
  })
})

test('4.10 a load error, or someone else’s passport, leads to the landing page', async () => {
  for (const error of [
    refusal('not-found'),
    refusal('server-fault'),
    new ApiError('timed-out', ''),
  ]) {
    const { gatekeeper } = world(error)
    expect(await gatekeeper({ ...REQUEST, passportUuid: UUID })).toEqual({
      path: '/universal-passport',
    })
  }
})

test('5 a violation is logged, stores nothing and leads nowhere', async () => {
  const { gatekeeper, deviceStorage, logged } = world({ status: UNKNOWN })
  const result = await gatekeeper({ ...REQUEST, offeringAddress: 'tp1offering' })
  const violations = ['Offering Address requires an offering attribute']
  expect([result, logged]).toEqual([{ violations }, [violations]])
  expect(deviceStorage.read('last-gatekeeper-flow-request')).toBeUndefined()
})

test('2.2 without a session the user logs in first', async () => {
  for (const code of ['session-ended', 'unauthenticated'] as const) {
    const { gatekeeper, deviceStorage } = world(refusal(code))
    await expect(gatekeeper(REQUEST)).rejects.toThrow(ApiError)
    expect(deviceStorage.read('last-gatekeeper-flow-request')).toBeUndefined()
  }
})
