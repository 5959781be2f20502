/** Operators with an authenticator, for tests of the admin API. */
import { beginTotp, confirmIdentity, confirmTotp } from '@portico/contracts/account-security'
import type { OperatorRole } from '@portico/contracts/admin/permissions'
import type { ApprovalNeeded } from '@portico/contracts/admin/second-operator'
import { login } from '@portico/contracts/identity'
import { redeemTotp } from '@portico/contracts/two-factor'
import { authenticatorCode } from './authenticator.ts'
import type { Browser, Credentials } from './browser.ts'
import { type aWorld, newPerson } from './world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

const MINUTE_MS = 60_000

export interface TestOperator {
  readonly who: Credentials
  readonly identityId: string
  readonly browser: Browser
  readonly secret: string
  /** Confirms by authenticator, as step-up and after an idle time. */
  readonly stepUp: () => Promise<void>
}

/** Registers a person with an authenticator and these roles, by `ROLE` for all organizations or `ROLE ORGANIZATION`. */
export async function anOperator(
  world: World,
  ...roles: (OperatorRole | `${OperatorRole} ${string}`)[]
): Promise<TestOperator> {
  const who = newPerson('operator')
  const browser = world.browser()
  await browser.register(who)
  await browser.confirmByMail(who.email)
  const { secret } = await browser.call(beginTotp, {})
  await browser.call(confirmTotp, {
    body: { code: authenticatorCode(secret, world.clock.now()) },
  })
  const identity = await world.server.stores.identities.findByEmail(who.email)
  if (identity === undefined) throw new Error('The operator was not registered')
  for (const each of roles) {
    const [role = '', organizationCode = '*'] = each.split(' ')
    await world.server.stores.identityRoles.insert({
      identityId: identity.id,
      role: role as OperatorRole, // The parameter's type says so.
      organizationCode,
      createdAt: world.clock.now(),
    })
  }
  const stepUp = async () => {
    // No code is accepted twice.
    world.clock.pass(MINUTE_MS)
    await browser.call(confirmIdentity, {
      query: {},
      body: { totp: authenticatorCode(secret, world.clock.now()) },
    })
  }
  // An authenticator does not confirm the session that added it.
  world.clock.pass(MINUTE_MS)
  const { twoFactorOptions } = await browser.call(login, { body: who })
  const { jwt } = await browser.call(redeemTotp, {
    body: {
      loginUuid: twoFactorOptions?.loginUuid ?? '',
      code: authenticatorCode(secret, world.clock.now()),
      rememberDevice: true,
    },
  })
  browser.jwt.write(jwt)
  await browser.signIn(who)
  await stepUp()
  return { who, identityId: identity.id, browser, secret, stepUp }
}

/** The response of an act that needed no second operator. */
export async function done<Answer extends object>(
  act: Promise<Answer>,
): Promise<Exclude<Answer, ApprovalNeeded>> {
  const answer = await act
  if ('outcome' in answer && answer.outcome === 'approval-needed') {
    throw new Error('The act needs a second operator')
  }
  return answer as Exclude<Answer, ApprovalNeeded> // Checked above.
}
