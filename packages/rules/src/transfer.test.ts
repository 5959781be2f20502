import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountError, maximumAmount, memoError, nhashOf, recipientError } from './transfer.ts'

const SENDER = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const RECIPIENT = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
const MAINNET = 'pb18vgc2p3l3xz5meqgtl5qgagsgx83ymh0l4qjmj'

test.each([
  ['25', 25_000_000_000n],
  ['0.5', 500_000_000n],
  ['.5', 500_000_000n],
  ['5.', 5_000_000_000n],
  ['0.000000001', 1n],
  [' 1,000.25 ', 1_000_250_000_000n],
  ['1,000,000', 1_000_000_000_000_000n],
])('an amount of %s hash', (amount, nhash) => {
  expect(nhashOf(amount)).toBe(nhash)
})

test.each(['', '.', '0', '0.0', '-1', '1e3', '0x10', '1.0000000001', '1,5', '1 000', '٣', 'ten'])(
  '%j is not an amount',
  (amount) => {
    expect(nhashOf(amount)).toBeUndefined()
    expect(amountError(amount, undefined)).toBeDefined()
  },
)

test.each(['0,500', '1234,567', '1.000,500', '0.123,456', '1,000,50', ',500', '001,000', '1,0000'])(
  '%j, which may be meant with a decimal comma, is not an amount',
  (amount) => {
    expect(nhashOf(amount)).toBeUndefined()
    expect(amountError(amount, undefined)).toBeDefined()
  },
)

test.each([
  ['x'.repeat(256), true],
  ['x'.repeat(257), false],
  [` ${'x'.repeat(256)} `, true],
  ['ж'.repeat(128), true],
  ['ж'.repeat(129), false],
  ['🏠'.repeat(65), false],
])('a memo is at most 256 bytes (%#)', (memo, isShort) => {
  expect(memoError(memo) === undefined).toBe(isShort)
})

test('no amount is more precise or larger than its text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), (nhash) => {
      const text = `${nhash / 10n ** 9n}.${`${nhash % 10n ** 9n}`.padStart(9, '0')}`
      expect(nhashOf(text)).toBe(nhash)
    }),
  )
})

test('an amount above the balance is refused; the whole balance is not', () => {
  expect(amountError('2', 2_000_000_000n)).toBeUndefined()
  expect(amountError('2.000000001', 2_000_000_000n)).toBe('This is more than the account has.')
})

test.each([
  ['', "Please enter the recipient's address."],
  [
    RECIPIENT.replace('w5q', 'w6q'),
    'This is not a valid address. Compare it with the one you were given.',
  ],
  ['Maple', 'This is not a valid address. Compare it with the one you were given.'],
  [MAINNET, 'This address belongs to another network. Addresses on yours begin with tp1.'],
  [SENDER.toUpperCase(), 'This is the address you send from.'],
  [RECIPIENT, undefined],
  [` ${RECIPIENT} `, undefined],
])('the recipient %j: %j', (recipient, error) => {
  expect(recipientError(recipient, { sender: SENDER, prefix: 'tp' })).toBe(error)
})

test('9.3 an amount leaves enough for the network fee, and Max is the most that does', () => {
  const balance = 25_000_000_000n
  const tooLittle = 'This leaves too little for the network fee. Max leaves enough.'
  expect(amountError('25', balance, 1n)).toBe(tooLittle)
  expect(amountError('24.9', balance, 381_000_000n)).toBe(tooLittle)
  expect(amountError('24.5', balance, 381_000_000n)).toBeUndefined()
  // A group pays what it sends, and its member the fee.
  expect(amountError('25', balance, 0n)).toBeUndefined()
  expect(amountError('26', balance, 1n)).toBe('This is more than the account has.')
  expect(maximumAmount(balance, 380_000_000n)).toBe(24_582_000_000n)
  expect(maximumAmount(1n, 380_000_000n)).toBe(0n)
})
