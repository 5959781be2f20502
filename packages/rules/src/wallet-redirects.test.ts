import { expect, test } from 'vitest'
import {
  convertAddress,
  createWalletAddress,
  loginFirst,
  pathAndQuery,
  selectAccountAddress,
} from './wallet-redirects.ts'

const HERE = '/auth/wallet?redirectUrl=%2Floans%3Fa%3D1'
const ENCODED = '%2Fauth%2Fwallet%3FredirectUrl%3D%252Floans%253Fa%253D1'

test('2.2 full-page redirects carry the current path and query, encoded', () => {
  expect(createWalletAddress(HERE)).toBe(`/auth/wallet/create-wallet?redirectUrl=${ENCODED}`)
  expect(selectAccountAddress(HERE)).toBe(
    `/auth/wallet/organization/select-account?redirectUrl=${ENCODED}`,
  )
  expect(loginFirst(HERE)).toBe(`/auth/login?redirectUrl=${ENCODED}`)
  expect(pathAndQuery({ path: '/auth/wallet', query: 'a=1' })).toBe('/auth/wallet?a=1')
  expect(pathAndQuery({ path: '/auth/wallet', query: '' })).toBe('/auth/wallet')
})

test('2.2 the conversion carries the current URL, encoded, under the base of the API', () => {
  expect(convertAddress('https://www.l.example', 'tp1old', 'https://www.l.example/a?b=1')).toBe(
    'https://www.l.example/auth/wallet/provenance/tp1old/convert?redirectUrl=https%3A%2F%2Fwww.l.example%2Fa%3Fb%3D1',
  )
})
