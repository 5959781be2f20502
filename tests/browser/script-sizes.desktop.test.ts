import { entryScripts, LOGIN_ALLOWANCE_KB, reactAlone } from '../../bench/script-sizes.ts'
import { expect, test } from './support/portico.ts'

test('12 the login page needs at most React and 45 kB of scripts', async () => {
  expect(entryScripts('auth')).toBeLessThanOrEqual((await reactAlone()) + LOGIN_ALLOWANCE_KB)
})
