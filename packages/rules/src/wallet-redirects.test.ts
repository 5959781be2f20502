import { expect, test } from 'vitest'
import {
  atConnect,
  connectAddress,
  convertAddress,
  createWalletAddress,
  loginPathBefore,
  pathAndQuery,
  selectAccountAddress,
  verifyAddress,
  verifyWalletAddress,
} from './wallet-redirects.ts'

const HERE = '/auth/wallet?redirectUrl=%2Floans%3Fa%3D1'
const ENCODED = '%2Fauth%2Fwallet%3FredirectUrl%3D%252Floans%253Fa%253D1'

test('2.2 full-page redirects carry the current path and query, encoded', () => {
  expect(createWalletAddress(HERE)).toBe(`/auth/wallet/create-wallet?redirectUrl=${ENCODED}`)
  expect(selectAccountAddress(HERE)).toBe(
    `/auth/wallet/organization/select-account?redirectUrl=${ENCODED}`,
  )
  expect(loginPathBefore(HERE)).toBe(`/auth/login?redirectUrl=${ENCODED}`)
  expect(pathAndQuery({ path: '/auth/wallet', query: 'a=1' })).toBe('/auth/wallet?a=1')
  expect(pathAndQuery({ path: '/auth/wallet', query: '' })).toBe('/auth/wallet')
})

test('4.2 an account connected on another page does not have to be chosen again on the wallet page', () => {
  expect(atConnect('/auth/wallet')).toBe('/auth/wallet?section=Connect')
  expect(atConnect('/auth/wallet?redirectUrl=%2Fa%3Fb%3D1&section=Verify&walletAddress=tp1')).toBe(
    '/auth/wallet?redirectUrl=%2Fa%3Fb%3D1&section=Connect',
  )
  expect(atConnect('/auth/wallet/create-wallet')).toBeUndefined()
  expect(atConnect('/loans')).toBeUndefined()
  expect(connectAddress('/loans?a=1')).toBe(
    '/auth/wallet?section=Connect&redirectUrl=%2Floans%3Fa%3D1',
  )
  expect(connectAddress('/auth/wallet?redirectUrl=%2Floans')).toBe(
    '/auth/wallet?redirectUrl=%2Floans&section=Connect',
  )
})

test('4.2 a new wallet is connected on the wallet page at Verify, whatever account it was at', () => {
  expect(verifyAddress('/loans?a=1')).toBe(
    '/auth/wallet?section=Verify&redirectUrl=%2Floans%3Fa%3D1',
  )
  expect(verifyAddress('/auth/wallet?redirectUrl=%2Floans&section=Connect&walletAddress=tp1')).toBe(
    '/auth/wallet?redirectUrl=%2Floans&section=Verify',
  )
})

test('4.2 an attached wallet is verified on the wallet page, which returns', () => {
  expect(verifyWalletAddress('tp1olga', '/dashboard/accounts')).toBe(
    '/auth/wallet?section=Verify&redirectUrl=%2Fdashboard%2Faccounts&walletAddress=tp1olga',
  )
})

test('2.2 the conversion carries the current URL, encoded, under the base of the API', () => {
  expect(convertAddress(new URL('https://www.l.example/a?b=1'), 'tp1old')).toBe(
    'https://www.l.example/auth/wallet/provenance/tp1old/convert?redirectUrl=https%3A%2F%2Fwww.l.example%2Fa%3Fb%3D1',
  )
})

test.each([
  'https://www.lender.example',
  'https://lender.example',
  'https://test.lender.example',
  'https://test.lender.example:8443',
  'https://testing.lender.example',
  'https://login.quincefield.example',
  'http://quincefield.localhost:8080',
  'http://test.localhost:8080',
  'http://localhost:8080',
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
])('7.1 the API base of the wallet flow is the origin of the page: %s', (origin) => {
  expect(new URL(convertAddress(new URL(`${origin}/auth/wallet`), 'tp1old')).origin).toBe(origin)
})
