import { expect, test } from 'vitest'
import { grouped } from './grouped.ts'

const LIMITS = { together: 3, waiting: 4 }

/** Work that a test finishes by hand, with the groups it was given. */
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

test('4 whoever comes while a group is under way goes with the next', async () => {
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

test('4 a group that fails fails for its own, and the next goes on', async () => {
  const { work, end } = byHand()
  const one = grouped(work, LIMITS)
  const [first, second] = [one(1), one(2)]
  await end(new Error('disk'))
  await expect(first).rejects.toThrow('disk')
  await end()
  expect(await second).toBe(20)
})

test('4 whoever comes when too many wait is told so at once', async () => {
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
