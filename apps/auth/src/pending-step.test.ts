import { memoryStorage } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { pendingStep } from './pending-step.ts'
import type { PendingStep } from './second-step.ts'

const MINUTE_MS = 60_000
const LOGIN = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'
const OTHER_LOGIN = '7e2f3d1f-9a6d-4c66-8e4c-1e7b4b4e8b21'

const step = (loginUuid = LOGIN): Omit<PendingStep, 'since'> => ({
  method: 'password',
  email: 'ada@example.com',
  newUser: false,
  options: { loginUuid, aliases: [], emailFactorSupported: false, totpEnabled: true },
  position: { step: 'entering', method: 'totp', sentAt: {} },
})

test('4.5 a second step in progress survives a reload, but its first factor still expires', () => {
  let now = 0
  const steps = pendingStep(memoryStorage(), () => now)
  steps.write(step())
  now = 9 * MINUTE_MS
  // Storing a new position does not reset the step's age.
  steps.write(step())
  expect(steps.read()).toEqual({ ...step(), since: 0, expired: false })
  now = 10 * MINUTE_MS
  expect(steps.read()).toMatchObject({ expired: true })
  steps.write(step(OTHER_LOGIN))
  expect(steps.read()).toMatchObject({ since: now, expired: false })
  steps.remove()
  expect(steps.read()).toBeUndefined()
})

test.each(['', '{', 'null', '[]', '{"method":"password"}'])(
  '3 stored values: %j is not a valid pending step',
  (text) => {
    expect(pendingStep(memoryStorage({ 'pending-step': text }), () => 0).read()).toBeUndefined()
  },
)
