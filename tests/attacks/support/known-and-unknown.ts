/** Requests by which an attacker probes whether an address has an account. */
import { randomBytes } from 'node:crypto'
import { aWorld, newPerson, PASSWORD } from '../../support/world.ts'
import type { PlainClient, VisibleResponse } from './plain-client.ts'

export const CALLS = {
  login: ['POST', '/identity/api/v2/login'],
  send: ['POST', '/identity/api/v1/token/send'],
  redeem: ['PUT', '/identity/api/v1/token/redeem'],
  register: ['POST', '/identity/api/v1/registration/register'],
  reset: ['PUT', '/identity/secure/api/v1/pw'],
  continue: ['POST', '/service-lead-portal/api/borrowers/send-continue-app-email-with-otp'],
} as const

export type Name = keyof typeof CALLS
type World = Awaited<ReturnType<typeof aWorld>>

/** Adds an account with a password directly to the database. */
export async function accountHolder(world: World, passwordHash: string | null): Promise<string> {
  const email = address()
  await world.server.stores.identities.insert({
    email,
    organizationCode: 'FIGURE',
    at: world.clock.now(),
    passwordHash,
  })
  return email
}

/** An address of constant length. */
export const address = () => `person.${randomBytes(8).toString('hex')}@people.example`

export async function worldWithHash() {
  const owner = newPerson('owner')
  const world = await aWorld().withCustomer(owner)
  const identity = await world.server.stores.identities.findByEmail(owner.email)
  return { world, passwordHash: identity?.passwordHash ?? null }
}

/** All probes of an address, in an order without side effects. */
export async function probe(
  client: PlainClient,
  email: string,
): Promise<Readonly<Record<Name, VisibleResponse>>> {
  const answer = (name: Name, body: unknown, headers: Record<string, string> = {}) =>
    client.send(CALLS[name][0], CALLS[name][1], body, headers)
  const login = await answer('login', { email, password: `not ${PASSWORD}` })
  const send = await answer('send', { email })
  const { uuid } = JSON.parse(send.text) as { uuid: string }
  const redeem = await answer('redeem', { loginUuid: uuid, token: '000000' })
  const register = await answer('register', { email })
  const { jwt } = JSON.parse(register.text) as { jwt: string }
  const authorization = `Bearer ${jwt}`
  const reset = await answer('reset', { newPassword: PASSWORD }, { authorization })
  const borrowerIdentifier = { borrowerEmail: email, organization: 'FIGURE' }
  const continued = await answer('continue', { borrowerIdentifier })
  return { login, send, redeem, register, reset, continue: continued }
}
