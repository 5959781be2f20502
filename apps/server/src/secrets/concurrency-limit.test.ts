import { expect, test } from 'vitest'
import { concurrencyLimit } from './concurrency-limit.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('5 so many run at a time, the others begin in their order, also after one that failed', async () => {
  const inTurn = concurrencyLimit(2)
  const begun: string[] = []
  const ends: Record<string, { resolve: () => void; reject: (error: Error) => void }> = {}
  const work = (name: string) =>
    inTurn(
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push(name)
          ends[name] = { resolve, reject }
        }),
    )
  const all = ['one', 'two', 'three', 'four', 'five'].map(work)
  await turn()
  expect(begun).toEqual(['one', 'two'])
  ends.two?.reject(new Error('no'))
  await expect(all[1]).rejects.toThrow('no')
  expect(begun).toEqual(['one', 'two', 'three'])
  ends.one?.resolve()
  ends.three?.resolve()
  await turn()
  expect(begun).toEqual(['one', 'two', 'three', 'four', 'five'])
  ends.four?.resolve()
  ends.five?.resolve()
  await Promise.all([all[0], all[2], all[3], all[4]])
  const later = [work('six'), work('seven'), work('eight')]
  await turn()
  expect(begun.slice(5)).toEqual(['six', 'seven'])
  for (const name of ['six', 'seven']) ends[name]?.resolve()
  await turn()
  ends.eight?.resolve()
  await Promise.all(later)
})
