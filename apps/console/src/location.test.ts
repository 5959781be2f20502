import { expect, test } from 'vitest'
import { addressWith, parameter } from './location.ts'

const HERE = { path: '/console/people', query: 'q=a%40b.example&after=xyz&state=' }

test.each<[Record<string, string | undefined>, string]>([
  [{ after: 'next' }, '/console/people?q=a%40b.example&state=&after=next'],
  [{ state: 'locked' }, '/console/people?q=a%40b.example&state=locked'],
  [{ q: undefined, state: '' }, '/console/people'],
])('another filter begins at the first page: %j', (changes, address) => {
  expect(addressWith(HERE, changes)).toBe(address)
})

test('an empty parameter is an absent one', () => {
  expect(parameter(HERE, 'q')).toBe('a@b.example')
  expect(parameter(HERE, 'state')).toBeUndefined()
  expect(parameter(HERE, 'organization')).toBeUndefined()
})
