/** Operators (15): who they are, what lets them in, and what takes their access away. */
import { confirmIdentity } from '@portico/contracts/account-security'
import { readOperator } from '@portico/contracts/admin/operators'
import { PERMISSIONS } from '@portico/contracts/admin/permissions'
import { OPERATOR_IDLE_MS, STEP_UP_MS } from '@portico/contracts/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOperator } from '../support/operator.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, PASSWORD } from '../support/world.ts'

let world: Awaited<ReturnType<typeof aWorld>>
beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

test('15 an operator is a person with a role, who has just used a passkey or an authenticator', {
  tags: ['database'],
}, async () => {
  const admin = await anOperator(world, 'admin')
  const read = () => admin.browser.call(readOperator, {})
  const first = await read()
  expect(first).toMatchObject({
    kind: 'person',
    name: admin.who.email,
    access: 'granted',
    roles: [{ role: 'admin', organizationCode: '*' }],
  })
  expect(first.permissions).toEqual(
    PERMISSIONS.map((permission) => ({ permission, scope: { all: true } })),
  )
  expect(first.organizations.length).toBeGreaterThan(50)
  expect(first.confirmedUntil).toBeGreaterThan(world.clock.now())

  // A weaker confirmation is none for an operator.
  world.clock.pass(STEP_UP_MS)
  await admin.browser.call(confirmIdentity, { query: {}, body: { password: PASSWORD } })
  expect(await read()).toMatchObject({ access: 'second-factor-missing', confirmedUntil: null })
  await admin.stepUp()
  world.clock.pass(OPERATOR_IDLE_MS)
  expect(await read()).toMatchObject({ access: 'idle', confirmedUntil: null, idleAt: null })
  await admin.stepUp()
  expect((await read()).access).toBe('granted')

  const brand = await anOperator(world, 'brand HARBORLINE', 'analyst FIGURE')
  const limited = await brand.browser.call(readOperator, {})
  expect(limited.permissions).toContainEqual({
    permission: 'experiments.read',
    scope: { organizationCodes: ['FIGURE', 'HARBORLINE'] },
  })
  expect(limited.organizations.map((each) => each.organizationCode)).toEqual([
    'FIGURE',
    'HARBORLINE',
  ])

  // The next call sees that the role was revoked.
  await world.server.stores.identityRoles.delete({
    identityId: brand.identityId,
    role: 'brand',
    organizationCode: 'HARBORLINE',
  })
  expect((await brand.browser.call(readOperator, {})).roles).toHaveLength(1)

  const customer = world.browser()
  await customer.register(newPerson('customer'))
  expect(await customer.call(readOperator, {})).toMatchObject({
    access: 'no-grant',
    permissions: [],
    organizations: [],
  })
})
