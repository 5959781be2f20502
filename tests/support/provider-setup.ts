/** Setting up an identity provider, as its administrator's browser does it. */

import type { CallInput } from '@portico/client/client'
import type { UserType } from '@portico/contracts/broker'
import type { Call, Parsed } from '@portico/contracts/call'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import * as calls from '@portico/contracts/sso-setup'
import type { Browser } from './browser.ts'
import type { DnsServer } from './dns-server.ts'
import type { aWorld } from './world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

const ADMINISTRATOR = 'ida.admin@cedar-point.example'

/** Mails a link as the operator's command does, and returns its token. */
export async function mailedToken(
  world: World,
  organizationCode = 'CEDAR_POINT',
  userType: UserType = 'customer',
): Promise<string> {
  await world.server.mailSetupLink([organizationCode, userType, ADMINISTRATOR])
  const [mail] = await world.mail(ADMINISTRATOR)
  const token = /#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error('No setup link was mailed')
  return token
}

/** A browser's calls at the page of an organization. */
export function administrator(
  browser: Browser,
  organizationCode = 'CEDAR_POINT',
  userType: UserType = 'customer',
) {
  return <C extends Call>(call: C, body?: unknown): Promise<Parsed<C['answer']>> =>
    browser.call(call, {
      ...(body === undefined ? {} : { body }),
      ...(call.query === undefined ? {} : { query: { userType } }),
      headers: { [ORGANIZATION_HEADER]: organizationCode },
    } as unknown as CallInput<C>) // The caller passes what the call declares.
}

export type Administrator = ReturnType<typeof administrator>

/** Opens a new link in a new browser. */
export async function openedSetup(
  world: World,
  organizationCode = 'CEDAR_POINT',
  userType: UserType = 'customer',
) {
  const browser = world.browser()
  const admin = administrator(browser, organizationCode, userType)
  const token = await mailedToken(world, organizationCode, userType)
  const setup = await admin(calls.openSetup, { token })
  return { browser, admin, setup, token }
}

/** Adds a domain and publishes its record. */
export async function verifiedDomain(admin: Administrator, dns: DnsServer, domain: string) {
  const { domains } = await admin(calls.addDomain, { domain })
  const record = domains.find((each) => each.domain === domain)?.record
  if (!record) throw new Error('The domain has no record')
  dns.records.set(record.name, [record.value])
  return admin(calls.checkDomain, { domain })
}
