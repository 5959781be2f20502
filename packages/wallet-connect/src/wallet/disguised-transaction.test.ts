import { bytesOfHex } from '@portico/keys/bytes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDisguisedTransaction } from './disguised-transaction.ts'

const bytes = (hex: string) => bytesOfHex(hex) ?? expect.fail()
const text = (plain: string) => new TextEncoder().encode(plain)

test('bytes that a chain takes for a transaction to sign are recognised in every form', () => {
  expect(isDisguisedTransaction(bytes('0a02080112020801'))).toBe(true)
  expect(isDisguisedTransaction(bytes('0a020801120208011a0370696f2005'))).toBe(true)
  expect(isDisguisedTransaction(bytes('0a020801120208011a0370696f200528013200'))).toBe(true)
  expect(isDisguisedTransaction(text('{ "msgs": [], "chain_id": "", "fee": {} }'))).toBe(true)
})

test('texts, nonces and tokens are messages', () => {
  for (const plain of [
    '',
    'Sign in',
    '\nnew line',
    '{"msgs":[]}',
    'eyJhbGciOiJFUzI1NksifQ.eyJhIjoxfQ',
  ]) {
    expect(isDisguisedTransaction(text(plain)), plain).toBe(false)
  }
  fc.assert(
    fc.property(fc.string(), (plain) => {
      expect(isDisguisedTransaction(text(plain))).toBe(false)
    }),
  )
})
