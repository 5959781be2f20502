import { expect, test } from 'vitest'
import type { Visitor } from '../http/visitor.ts'
import { vault } from '../secrets/vault.ts'
import { limitTexts } from './send-limit.ts'

/** In-memory counters with endless windows: the test covers keys and limits. */
function counting() {
  const counts = new Map<string, number>()
  const counters = {
    async increment(key: string, at: number, windowMs: number) {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { count, until: at + windowMs }
    },
    delete: async (key: string) => void counts.delete(key),
  }
  const deps = {
    stores: { counters },
    vault: vault([Buffer.alloc(32).toString('base64')]),
    clock: () => 0,
  }
  return (text: { phone?: string; identityId?: string; network?: string; isSetup?: boolean }) =>
    limitTexts(deps, {
      phone: text.phone ?? '+12015550100',
      identityId: text.identityId ?? 'one',
      visitor: { network: text.network ?? '203.0.113.1' } as Visitor,
      isSetup: text.isSetup ?? false,
    })
}

const labels = (times: number) => Array.from({ length: times }, (_, index) => `${index}`)
const LIMITED = { code: 'too-many-requests' }

test('8 one account may cause twenty texts a day across all numbers', async () => {
  const text = counting()
  for (const phone of labels(20)) await text({ phone })
  await expect(text({ phone: 'another' })).rejects.toMatchObject(LIMITED)
  await text({ phone: 'another', identityId: 'two' })
})

test('8 one network may cause a hundred texts an hour across all accounts and numbers', async () => {
  const text = counting()
  for (const name of labels(100)) await text({ phone: name, identityId: name })
  await expect(text({ phone: 'another', identityId: 'another' })).rejects.toMatchObject(LIMITED)
  await text({ phone: 'another', identityId: 'another', network: '203.0.113.2' })
})

test('8 a number gets at most thirty texts a day, five of them for setup, across all accounts and networks', async () => {
  const text = counting()
  const from = (name: string) => ({ identityId: name, network: name })
  for (const name of labels(5)) await text({ ...from(name), isSetup: true })
  // Refused texts do not count against the number's owner.
  for (const name of labels(50)) {
    await expect(text({ ...from(`x${name}`), isSetup: true })).rejects.toMatchObject(LIMITED)
  }
  for (const name of labels(25)) await text(from(`y${name}`))
  await expect(text(from('z'))).rejects.toMatchObject(LIMITED)
})
