/** The tab in which an operator views the pages of a person, for tests. */
import { impersonatePerson } from '@portico/contracts/admin/people'
import type { Browser } from './browser.ts'
import type { TestOperator } from './operator.ts'
import type { aWorld } from './world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

export const VIEWING_COOKIE = 'portico-viewing'

export const startViewing = (operator: Pick<TestOperator, 'browser'>, identityUuid: string) =>
  operator.browser.call(impersonatePerson, {
    body: { identityUuid, reason: 'Called, and cannot find the statement.' },
  })

/** Another tab of the operator's browser, with the token that the person's pages use. */
export function viewingTab(
  world: World,
  operator: Pick<TestOperator, 'browser'>,
  jwt: string,
): Browser {
  const tab = world.browser()
  for (const [name, value] of operator.browser.cookies) tab.cookies.set(name, value)
  tab.jwt.write(jwt)
  return tab
}

export async function viewPerson(
  world: World,
  operator: Pick<TestOperator, 'browser'>,
  identityUuid: string,
): Promise<Browser> {
  const { jwt } = await startViewing(operator, identityUuid)
  return viewingTab(world, operator, jwt)
}
