import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { evidenceChecks } from './check-in-worker.ts'
import { aPdf } from './testing.ts'

const content = async () => new Uint8Array(aPdf()).buffer

test('uploads: two large files are checked at the same time, people take turns, and small files do not wait', async () => {
  const check = evidenceChecks()
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const checks = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'].map((id) =>
    check({ id, bytes: id === 'd1' ? 1000 : 20_000_000, personId: id.slice(0, 1) }, async () => {
      begun.push(id)
      await gate.promise
      return content()
    }),
  )
  await setTimeout(10)
  expect(begun).toEqual(['a1', 'b1', 'd1'])
  gate.resolve()
  await Promise.all(checks)
  expect(begun).toEqual(['a1', 'b1', 'd1', 'c1', 'a2', 'a3'])
})

test('uploads: a repeated call waits for the running check, and an unreadable file does not block others', async () => {
  const check = evidenceChecks()
  let reads = 0
  const once = () =>
    check({ id: 'a', bytes: 1000, personId: 'a' }, () => {
      reads += 1
      return content()
    })
  const results = await Promise.all([once(), once(), once()])
  expect(results.map((result) => 'type' in result)).toEqual([true, true, true])
  expect(reads).toBe(1)
  const unreadable = check({ id: 'b', bytes: 1000, personId: 'a' }, () =>
    Promise.reject(new Error('removed')),
  )
  await expect(unreadable).rejects.toThrow('removed')
  expect(await once()).toHaveProperty('type', 'application/pdf')
})
