import { expect, test } from 'vitest'
import * as react from './react.ts'
import * as session from './session.ts'

const SESSION = [
  'APP_STORE_APPLE_FIGURE',
  'APP_STORE_GOOGLE_PLAY_FIGURE',
  'CONNECTION_EXPIRED',
  'CONNECTION_TYPES',
  'CONNECTOR_EVENTS',
  'DYNAMIC_LINK_FIGURE_MOBILE_URL',
  'DYNAMIC_LINK_SHORLINK_GENERATOR_URL',
  'FIGURE_HOSTED_WALLET_URL_PROD',
  'FIGURE_HOSTED_WALLET_URL_TEST',
  'FIGURE_MOBILE_WALLET_APP_ID',
  'FIGURE_MOBILE_WALLET_APP_ID_TEST',
  'FIGURE_MOBILE_WALLET_CONNECT_URL',
  'FIGURE_MOBILE_WALLET_PACKAGE_NAME',
  'FIGURE_MOBILE_WALLET_PACKAGE_NAME_TEST',
  'LOCAL_STORAGE_NAMES',
  'WALLETCONNECT_BRIDGE_URL',
  'WALLETCONNECT_TEST_BRIDGE_URL',
  'WALLET_APP_EVENTS',
  'WALLET_APP_IDS',
  'WALLET_LIST',
  'WINDOW_MESSAGES',
  'WalletConnectService',
]

const REACT = [
  'QRCodeModal',
  'WalletConnectContextProvider',
  'useWalletConnect',
  'useWalletConnectService',
  'useWalletState',
]

test('the session entry point has the names of the public library', () => {
  expect(Object.keys(session).toSorted()).toEqual(SESSION)
})

test('the react entry point has them too, so that a page changes one import', () => {
  expect(Object.keys(react).toSorted()).toEqual([...SESSION, ...REACT].toSorted())
})

test('7.4 the test variants of the relay and of the hosted wallet are those of this installation', () => {
  expect(session.WALLETCONNECT_TEST_BRIDGE_URL).toBe(session.WALLETCONNECT_BRIDGE_URL)
  expect(session.FIGURE_HOSTED_WALLET_URL_TEST).toBe(session.FIGURE_HOSTED_WALLET_URL_PROD)
})
