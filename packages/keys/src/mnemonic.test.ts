import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import protocol from '../vectors/protocol.json' with { type: 'json' }
import { bytesOfHex, hexOf } from './bytes.ts'
import { newWords, seedOfWords, wordsOf, wordsProblem } from './mnemonic.ts'

const { words } = protocol.entropy

test('3 published entropy gives the published words', () => {
  expect(entropyToMnemonic(bytesOfHex(protocol.entropy.hex) ?? new Uint8Array(), wordlist)).toBe(
    words,
  )
})

test.each([12, 24] as const)(
  '3 %i new words give a seed, and are different each time',
  async (count) => {
    const fresh = newWords(count)
    expect(fresh.split(' ')).toHaveLength(count)
    expect(await seedOfWords(fresh)).toHaveLength(64)
    expect(newWords(count)).not.toBe(fresh)
  },
)

test('3 a new wallet has 24 words', () => {
  expect(newWords().split(' ')).toHaveLength(24)
})

test('3 words with different case and spacing give the same seed', async () => {
  const copied = `  ${words.toUpperCase().replaceAll(' ', '\n  ')}\t`
  expect(await seedOfWords(copied)).toEqual(await seedOfWords(words))
})

test('3 a passphrase gives a different seed', async () => {
  const seeds = await Promise.all([seedOfWords(words), seedOfWords(words, 'trezor')])
  expect(new Set(seeds.map(hexOf)).size).toBe(2)
})

test.each([
  ['no words', ''],
  ['a word too few', words.split(' ').slice(1).join(' ')],
  ['a word too many', `${words} buyer`],
  ['an unknown word', words.replace('buyer', 'bayer')],
  ['a wrong checksum', words.replace('buyer', 'drum')],
])('3 %s is refused', async (_, wrong) => {
  await expect(seedOfWords(wrong)).rejects.toMatchObject({ code: 'words-invalid' })
})

test('3 the error for invalid words does not contain them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(wordlist, { minLength: 2, maxLength: 11 }), async (some) => {
      const failure = await seedOfWords(some.join(' ')).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'words-invalid' })
      expect(failure).not.toHaveProperty('cause')
      expect(String(failure)).not.toContain(some.join(' '))
    }),
  )
})

test.each([
  ['a written list', '1. Bleak\n2) alpha,\n 3: BUNKER', ['bleak', 'alpha', 'bunker']],
  ['spaces and tabs', '  bleak \t alpha  ', ['bleak', 'alpha']],
  ['nothing', ' \n', []],
])('3 words are read from %s', (_, text, expected) => {
  expect(wordsOf(text)).toEqual(expected)
})

test('3 invalid recovery words are reported by unknown words, count or checksum', () => {
  const valid = words.split(' ')
  expect(wordsProblem(valid)).toBeUndefined()
  expect(wordsProblem([...valid.slice(0, 4), 'amountt', ...valid.slice(5)])).toEqual({
    kind: 'unknown',
    words: [{ number: 5, word: 'amountt' }],
  })
  expect(wordsProblem(valid.slice(1))).toEqual({ kind: 'count', count: valid.length - 1 })
  expect(wordsProblem(valid.toReversed())).toEqual({ kind: 'checksum' })
})
