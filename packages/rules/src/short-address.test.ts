import { expect, test } from 'vitest'
import { shortAddress } from './short-address.ts'

test.each([
  ['tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh', 'tp1kn...tklkh'],
  ['tp1short', 'tp1short'],
  ['', ''],
])("9 address display: first 5 characters, '...', last 5: %s", (address, shown) => {
  expect(shortAddress(address)).toBe(shown)
})
