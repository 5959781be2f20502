import { expect, test } from 'vitest'
import type { Visitor } from '../http/visitor.ts'
import { vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { countText } from './send-limit.ts'

/** Counters in memory whose windows never end: what is tested are the keys and the limits. */
function counting() {
  const counts = new Map<string, number>()
  const counters = {
    async count(key: string, at: number, windowMs: number) {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { count, until: at + windowMs }
    },
  }
  const deps = {
    // Nothing else of the stores is used to count a text.
    stores: { counters } as unknown as AllStores,
    vault: vault([Buffer.alloc(32).toString('base64')]),
    clock: () => 0,
  }
  return (text: { phone?: string; identityId?: string; network?: string; isSetup?: boolean }) =>
    countText(deps, {
      phone: text.phone ?? '+12015550100',
      identityId: text.identityId ?? 'one',
      visitor: { network: text.network ?? '203.0.113.1' } as Visitor,
      isSetup: text.isSetup ?? false,
    })
}

const each = (times: number) => Array.from({ length: times }, (_, index) => `${index}`)
const LIMITED = { code: 'too-many-requests' }

test('8 one account causes twenty texts a day, to whatever numbers', async () => {
  const text = counting()
  for (const phone of each(20)) await text({ phone })
  await expect(text({ phone: 'another' })).rejects.toMatchObject(LIMITED)
  await text({ phone: 'another', identityId: 'two' })
})

test('8 one network causes a hundred texts an hour, with however many accounts and numbers', async () => {
  const text = counting()
  for (const name of each(100)) await text({ phone: name, identityId: name })
  await expect(text({ phone: 'another', identityId: 'another' })).rejects.toMatchObject(LIMITED)
  await text({ phone: 'another', identityId: 'another', network: '203.0.113.2' })
})

test('8 a number is sent thirty texts a day, five of them to set it up, by however many accounts and networks', async () => {
  const text = counting()
  const from = (name: string) => ({ identityId: name, network: name })
  for (const name of each(5)) await text({ ...from(name), isSetup: true })
  // What is refused takes nothing from the number's owner.
  for (const name of each(50)) {
    await expect(text({ ...from(`x${name}`), isSetup: true })).rejects.toMatchObject(LIMITED)
  }
  for (const name of each(25)) await text(from(`y${name}`))
  await expect(text(from('z'))).rejects.toMatchObject(LIMITED)
})
