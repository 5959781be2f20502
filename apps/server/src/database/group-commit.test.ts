import { expect, test } from 'vitest'
import { groupCommit } from './group-commit.ts'

/** Syncs that the test completes. */
function aDisk() {
  const begun: { end: () => void; fail: () => void }[] = []
  const sync = groupCommit(
    () =>
      new Promise((resolve, reject) => {
        begun.push({ end: resolve, fail: () => reject(new Error('The disk is gone')) })
      }),
  )
  return { begun, sync }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('4 writes during a sync wait for the next one and share it', async () => {
  const { begun, sync } = aDisk()
  const synced: string[] = []
  void sync().then(() => synced.push('first'))
  void sync().then(() => synced.push('second'))
  void sync().then(() => synced.push('third'))
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.end()
  await turn()
  expect(synced).toEqual(['first'])
  expect(begun).toHaveLength(2)
  begun[1]?.end()
  await turn()
  expect(synced).toEqual(['first', 'second', 'third'])
  void sync()
  expect(begun).toHaveLength(3)
})

test('4 a failed sync rejects only its own writes, and the next one is tried', async () => {
  const { begun, sync } = aDisk()
  const first = sync()
  const second = sync()
  begun[0]?.fail()
  await expect(first).rejects.toThrow('The disk is gone')
  await turn()
  begun[1]?.end()
  await expect(second).resolves.toBeUndefined()
})
