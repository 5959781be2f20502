import { expect, test } from 'vitest'
import { LIMITS_IN_STORAGE, requestLedger } from './request-ledger.ts'

const enter = (ledger: ReturnType<typeof requestLedger>, id: number, text: string) =>
  ledger.enter({ idText: `${id}`, customId: undefined, isWithdrawal: false, text, arrivedAt: 0 })
    .kind

test('2.6 what waits counts by its length in storage, where quotation marks take eight characters', () => {
  const ledger = requestLedger(LIMITS_IN_STORAGE)
  const kinds = Array.from({ length: 10 }, (_, id) => enter(ledger, id, '"'.repeat(3000)))
  expect(kinds.filter((kind) => kind === 'new')).toHaveLength(5)
  expect(kinds.at(-1)).toBe('too-many')
  ledger.answered('0', '')
  expect(enter(ledger, 10, '"'.repeat(3000))).toBe('new')
})

test('2.6 a request that alone is too large for the storage is refused as such', () => {
  const ledger = requestLedger(LIMITS_IN_STORAGE)
  for (const text of ['x'.repeat(200_000), '"'.repeat(20_000)]) {
    expect(enter(ledger, 1, text)).toBe('too-large')
  }
  expect(enter(ledger, 1, 'x'.repeat(100_000))).toBe('new')
  expect(enter(requestLedger(), 1, 'x'.repeat(10_000_000))).toBe('new')
})
