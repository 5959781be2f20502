/** No response may reveal whether an address has an account. Timing: `enumeration.exhaustive.test.ts`. */
import { expect, test } from 'vitest'
import { PASSWORD } from '../support/world.ts'
import {
  accountHolder,
  address,
  CALLS,
  type Name,
  probe,
  worldWithHash,
} from './support/known-and-unknown.ts'
import { plainClient, type VisibleResponse } from './support/plain-client.ts'

/** Removes the random parts of a response. */
function withoutChance({ status, headerNames, headers, text }: VisibleResponse) {
  const { date: _, ...fixed } = headers
  return {
    status,
    headerNames,
    headers: fixed,
    text: text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
      .replaceAll(/ey[\w-]+\.[\w-]+\.[\w-]+/g, (jwt) => `token of ${jwt.length}`),
  }
}

test('enumeration: known and unknown addresses get the same answers on login, send, redeem, register and reset, and on continuing by mail', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using client = plainClient(world.url)
  const known = await probe(client, await accountHolder(world, passwordHash))
  const others = {
    'not registered': address(),
    'has no password': await accountHolder(world, null),
    'is registering': address(),
    'is locked': await accountHolder(world, passwordHash),
  }
  await client.send(...CALLS.register, { email: others['is registering'] })
  await world.lock(others['is locked'])
  for (const [what, email] of Object.entries(others)) {
    const answers = await probe(client, email)
    for (const name of Object.keys(CALLS) as Name[]) {
      expect(withoutChance(answers[name]), `${name}: ${what}`).toEqual(withoutChance(known[name]))
    }
  }
})

test('enumeration: known and unknown addresses are limited after the same number of tries', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using client = plainClient(world.url)
  const tries: Record<string, string[]> = {}
  for (const email of [await accountHolder(world, passwordHash), address()]) {
    const seen: string[] = []
    for (let each = 0; each < 7; each += 1) {
      const { status, headers } = await client.send(...CALLS.send, { email })
      seen.push(`send ${status} ${headers['retry-after']}`)
    }
    for (let each = 0; each < 12; each += 1) {
      const { status, headers } = await client.send(...CALLS.login, { email, password: 'wrong' })
      seen.push(`login ${status} ${headers['retry-after']}`)
    }
    tries[email] = seen
  }
  const [known, unknown] = Object.values(tries)
  expect(known?.filter((each) => each.includes('429'))).toHaveLength(4)
  expect(unknown).toEqual(known)
})

test('enumeration: every spelling of an address is its one account, and an address that only looks like it is another', async () => {
  const { world, passwordHash } = await worldWithHash()
  await using _ = world
  using client = plainClient(world.url)
  const email = await accountHolder(world, passwordHash)
  const logIn = (spelling: string) =>
    client.send(...CALLS.login, { email: spelling, password: PASSWORD })
  const spellings = [
    email.toUpperCase(),
    `\u202a${email}\u202c\u200b`,
    email.replace('@', '＠').replace('p', 'ｐ'),
    email.replace('.example', '。example'),
  ]
  for (const spelling of spellings) {
    expect((await logIn(spelling)).status, spelling).toBe(200)
    await client.send(...CALLS.register, { email: spelling })
    expect(await world.server.stores.identities.findByEmail(spelling), spelling).toBeUndefined()
  }
  const lookalikes = [
    email.replace('p', 'р'),
    email.replace('people.', 'рeople.'),
    ...['\u034f', '\u200b', '\u200c', '\u200d', '\u2060', '\u3164', '\ufe0f'].map((invisible) =>
      email.replace('n', `n${invisible}`),
    ),
  ]
  for (const lookalike of lookalikes) {
    expect((await logIn(lookalike)).status, JSON.stringify(lookalike)).not.toBe(200)
  }
})
