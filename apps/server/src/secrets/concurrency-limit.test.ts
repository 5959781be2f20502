import { expect, test } from 'vitest'
import { concurrencyLimit } from './concurrency-limit.ts'

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('5 tasks run up to the limit, the others start in order, also after a failure', async () => {
  const limit = concurrencyLimit(2)
  const started: string[] = []
  const tasks: Record<string, { resolve: () => void; reject: (error: Error) => void }> = {}
  const work = (name: string) =>
    limit(
      () =>
        new Promise<void>((resolve, reject) => {
          started.push(name)
          tasks[name] = { resolve, reject }
        }),
    )
  const all = ['one', 'two', 'three', 'four', 'five'].map(work)
  await nextTick()
  expect(started).toEqual(['one', 'two'])
  tasks.two?.reject(new Error('no'))
  await expect(all[1]).rejects.toThrow('no')
  expect(started).toEqual(['one', 'two', 'three'])
  tasks.one?.resolve()
  tasks.three?.resolve()
  await nextTick()
  expect(started).toEqual(['one', 'two', 'three', 'four', 'five'])
  tasks.four?.resolve()
  tasks.five?.resolve()
  await Promise.all([all[0], all[2], all[3], all[4]])
  const later = [work('six'), work('seven'), work('eight')]
  await nextTick()
  expect(started.slice(5)).toEqual(['six', 'seven'])
  for (const name of ['six', 'seven']) tasks[name]?.resolve()
  await nextTick()
  tasks.eight?.resolve()
  await Promise.all(later)
})
