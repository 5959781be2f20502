import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { expect, test } from 'vitest'
import { verifyPassword } from './password-hash.ts'

const COST = 10
const [attacked, other] = [await hashBcrypt('attacked', COST), await hashBcrypt('other', COST)]

const client = (network: string, hasLeft = false) =>
  ({ client: { network, hasLeft }, line: 'logins' }) as const

test.each([
  ['one imported account, from many networks', () => attacked, (each: number) => `10.0.${each}.0`],
  [
    'many imported accounts, from one network',
    (each: number) => attacked.replace(/.$/, './ABCDEF'[each] ?? '.'),
    () => '10.0.0.0',
  ],
])('import: attempts at %s hold up no one else', async (_, hashOf, networkOf) => {
  const done: string[] = []
  const attempts = Array.from({ length: 8 }, async (__, each) => {
    await verifyPassword(hashOf(each), 'guess', client(networkOf(each)))
    done.push('attempt')
  })
  expect(await verifyPassword(other, 'other', client('192.0.2.0'))).toBe(true)
  // One attempt may have begun before.
  expect(done.length).toBeLessThanOrEqual(2)
  await Promise.all(attempts)
})

test('a node does not hash for a client that left', async () => {
  const left = verifyPassword(null, 'guess', client('192.0.2.0', true))
  await expect(left).rejects.toMatchObject({ code: 'busy', retryAfterS: 5 })
})
