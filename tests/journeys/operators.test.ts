/** Operators (15): who they are, and how they get and lose access. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { deleteOwnAccount } from '@portico/contracts/account-security'
import {
  grantRole,
  listOperators,
  readOperator,
  revokeRole,
} from '@portico/contracts/admin/operators'
import { deletePerson } from '@portico/contracts/admin/people'
import { PERMISSIONS } from '@portico/contracts/admin/permissions'
import { OPERATOR_IDLE_MS, ORGANIZATION_HEADER, STEP_UP_MS } from '@portico/contracts/limits'
import { parseConfig } from '@portico/server/config'
import { openDatabase } from '@portico/server/database'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOperator, type TestOperator } from '../support/operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, testDatabase } from '../support/test-database.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

let world: World
beforeAll(async () => {
  world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
})
afterAll(() => world[Symbol.asyncDispose]())

test('15 an operator is a person with a role who has just used a passkey or authenticator app', {
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

  // A weaker confirmation does not count for an operator.
  world.clock.pass(STEP_UP_MS)
  await admin.browser.confirmByMail(admin.who.email)
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

test('15 an administrator grants and revokes roles in their own organizations only, and the last one remains', {
  tags: ['database'],
}, async () => {
  await using own = await aWorldWithoutOperators()
  const [one, other] = [await anOperator(own, 'admin'), await anOperator(own, 'admin')]
  const local = await anOperator(own, 'admin HARBORLINE')
  const who = newPerson('brand')
  await own.browser({ headers: { [ORGANIZATION_HEADER]: 'HARBORLINE' } }).register(who)
  const reason = 'Looks after the brand.'
  const body = {
    email: who.email,
    role: 'brand' as const,
    organizationCodes: ['HARBORLINE'],
    reason,
  }

  expect(await local.browser.call(grantRole, { body })).toEqual({ changed: true, hasFactor: false })
  expect(await local.browser.call(grantRole, { body })).toMatchObject({ changed: false })
  for (const organizationCodes of [['FIGURE'], ['*'], ['HARBORLINE', 'FIGURE'], ['NOWHERE']]) {
    const foreign = local.browser.call(grantRole, { body: { ...body, organizationCodes } })
    expect((await refusal(foreign)).code).toBe('not-permitted')
  }
  // An account of another organization is refused like an address without one.
  const foreigner = newPerson('foreigner')
  await own.browser().register(foreigner)
  for (const email of ['no.one@example.com', foreigner.email]) {
    const unknown = local.browser.call(grantRole, { body: { ...body, email } })
    expect((await refusal(unknown)).code).toBe('no-such-account')
  }

  const listed = await local.browser.call(listOperators, { query: {} })
  expect(listed.items.map(({ email }) => email).sort()).toEqual([local.who.email, who.email].sort())
  const all: string[] = []
  let after: string | undefined
  do {
    const query = { limit: '2', ...(after === undefined ? {} : { after }) }
    const page = await one.browser.call(listOperators, { query })
    all.push(...page.items.map(({ email }) => email))
    after = page.next ?? undefined
  } while (after !== undefined)
  expect(all).toEqual([one, other, local, { who }].map((each) => each.who.email).sort())

  const identityUuid =
    listed.items.find(({ email }) => email === who.email)?.identityUuid ?? 'missing'
  const role = { identityUuid, role: 'brand' as const, organizationCode: 'HARBORLINE', reason }
  expect(await local.browser.call(revokeRole, { body: role })).toEqual({ changed: true })

  // Each takes the other's role at once: one administrator remains.
  const admin = { role: 'admin' as const, organizationCode: '*', reason: 'Left.' }
  const answers = await Promise.all(
    [
      [one, other.identityId],
      [other, one.identityId],
    ].map(async ([by, of]) =>
      (by as typeof one).browser
        .call(revokeRole, { body: { ...admin, identityUuid: of as string } })
        .then(
          () => 'revoked',
          (error: { code?: string }) => error.code,
        ),
    ),
  )
  expect(answers).toContain('revoked')
  const last = await onlyAdministrator(own, [one, other])
  const self = last.browser.call(revokeRole, { body: { ...admin, identityUuid: last.identityId } })
  expect((await refusal(self)).code).toBe('last-administrator')
})

test('15 when two administrators delete each other at once, one remains and cannot delete their own account', {
  tags: ['database'],
}, async () => {
  await using own = await aWorldWithoutOperators()
  const [one, other] = [await anOperator(own, 'admin'), await anOperator(own, 'admin')]
  const remove = (by: TestOperator, { identityId, who: { email } }: TestOperator) =>
    by.browser
      .call(deletePerson, { body: { identityUuid: identityId, email, reason: 'Left.' } })
      .then(
        () => 'deleted',
        (error: { code?: string }) => error.code,
      )
  const answers = await Promise.all([remove(one, other), remove(other, one)])
  expect(answers).toContain('deleted')
  const last = await onlyAdministrator(own, [one, other])
  const self = () => last.browser.call(deleteOwnAccount, { body: { email: last.who.email } })
  expect((await refusal(self())).code).toBe('last-administrator')
  expect(await last.browser.call(readOperator, {})).toMatchObject({ access: 'granted' })

  await anOperator(own, 'admin')
  await last.stepUp()
  await self()
})

/** Without the operators of the demonstration. */
async function aWorldWithoutOperators(): Promise<World> {
  const own = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const { identityRoles } = own.server.stores
  for (const row of await own.query(
    'select identity_id, role, organization_code from identity_roles',
  )) {
    await identityRoles.delete({
      identityId: String(row['identity_id']),
      role: row['role'] as 'admin',
      organizationCode: String(row['organization_code']),
    })
  }
  return own
}

async function onlyAdministrator(
  own: World,
  [one, other]: readonly [TestOperator, TestOperator],
): Promise<TestOperator> {
  const left = await own.query(
    "select identity_id from identity_roles where role = 'admin' and organization_code = '*'",
  )
  expect(left).toHaveLength(1)
  return left[0]?.['identity_id'] === one.identityId ? one : other
}

test.runIf(ON_POSTGRES)(
  '15 an operator command that loses PostgreSQL says so in one line',
  { tags: 'database' },
  async () => {
    using folder = temporaryFolder()
    const database = await testDatabase()
    const environment = { DATA_DIR: folder.path, DATABASE_URL: database?.url }
    const locking = new pg.Client({ connectionString: database?.url })
    try {
      await (await openDatabase(parseConfig(environment))).destroy()
      await locking.connect()
      await locking.query('begin; lock table identity_roles in access exclusive mode')
      const program = fileURLToPath(new URL('../../tools/operator.ts', import.meta.url))
      const command = spawn(process.execPath, [program, 'list'], {
        env: { PATH: process.env.PATH, ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const output = text(command.stderr)
      const exit = once(command, 'exit')
      while (command.exitCode === null) {
        await database?.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      }
      expect(await exit).toEqual([1, null])
      expect(await output).toMatch(
        /^The database is not available: .+\. Run the command again when it is available\.\n$/,
      )
    } finally {
      await locking.end()
      await database?.drop()
    }
  },
)
