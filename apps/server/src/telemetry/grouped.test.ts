import { expect, test } from 'vitest'
import { grouped } from './grouped.ts'

const LIMITS = { groupSize: 3, waiting: 4 }

/** Work that the test completes, with the received groups. */
function byHand() {
  const groups: number[][] = []
  const ends: ((fails?: Error) => void)[] = []
  const work = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      groups.push([...items])
      ends.push((fails) => (fails ? reject(fails) : resolve(items.map((item) => item * 10))))
    })
  return { groups, work, end: async (fails?: Error) => ends.shift()?.(fails) }
}

test('4 items that arrive while a group is in progress join the next one', async () => {
  const { groups, work, end } = byHand()
  const one = grouped(work, LIMITS)
  const results = [1, 2, 3, 4, 5].map((item) => one(item))
  expect(groups).toEqual([[1]])
  await end()
  expect(await results[0]).toBe(10)
  expect(groups).toEqual([[1], [2, 3, 4]])
  await end()
  expect(await Promise.all(results.slice(1, 4))).toEqual([20, 30, 40])
  await end()
  expect(await results[4]).toBe(50)
  const later = one(6)
  await end()
  expect(await later).toBe(60)
})

test('4 a failed group rejects only its own items, and the next one runs', async () => {
  const { work, end } = byHand()
  const one = grouped(work, LIMITS)
  const [first, second] = [one(1), one(2)]
  await end(new Error('disk'))
  await expect(first).rejects.toThrow('disk')
  await end()
  expect(await second).toBe(20)
})

test('4 with too many items waiting, another one is rejected at once', async () => {
  const { work, end } = byHand()
  const one = grouped(work, LIMITS)
  const taken = [1, 2, 3, 4, 5].map((item) => one(item))
  expect(await one(6)).toBeUndefined()
  for (const _ of [1, 2, 3]) {
    await end()
    await Promise.resolve()
    await new Promise(setImmediate)
  }
  expect(await Promise.all(taken)).toEqual([10, 20, 30, 40, 50])
})
