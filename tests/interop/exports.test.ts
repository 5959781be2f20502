import './support/browser.ts'
import * as react from '@portico/wallet-connect/react'
import * as session from '@portico/wallet-connect/session'
import { describe, expect, test } from 'vitest'
import { publishedPage } from './support/published.ts'

type Exports = Readonly<Record<string, unknown>>

const MORE_THAN_PUBLISHED: Exports = {
  CONNECTION_EXPIRED:
    'the published library has only the text; pages that show it differently match on it',
  LOCAL_STORAGE_NAMES: 'internal in the public library; our tabs and tests use the keys',
  WALLET_APP_EVENTS: 'internal in the public library; wallets beside the page listen for these',
  WALLET_APP_IDS: 'internal in the public library; its pages repeat the ids',
  useWalletState: 're-renders a component only when its selection changes',
}

const OTHER_VALUES: Exports = {
  DYNAMIC_LINK_SHORLINK_GENERATOR_URL:
    'the installation shortens links; the vendor’s service is gone',
  FIGURE_HOSTED_WALLET_URL_PROD: 'the hosted wallet is a page of the installation',
  FIGURE_HOSTED_WALLET_URL_TEST: 'the same',
  WALLETCONNECT_BRIDGE_URL:
    'the relay is part of the installation; its URL is relative to the page',
  WALLETCONNECT_TEST_BRIDGE_URL: 'the same',
  WALLET_LIST: 'see the test below',
}

describe('what a page can import', () => {
  test('with React: every published name is exported, and every additional one has a reason', async () => {
    const published = (await import('@provenanceio/walletconnect-js')) as Exports
    const ours: Exports = react
    expect(Object.keys(published).filter((name) => !(name in ours))).toEqual([])
    const more = Object.keys(ours).filter((name) => !(name in published))
    expect(more.sort()).toEqual(Object.keys(MORE_THAN_PUBLISHED).sort())
    const other = Object.keys(published).filter((name) => {
      const [theirs, value] = [published[name], ours[name]]
      return (
        typeof theirs !== 'function' && !Object.is(JSON.stringify(theirs), JSON.stringify(value))
      )
    })
    expect(other.sort()).toEqual(Object.keys(OTHER_VALUES).sort())
  })

  test('without React: every published name is exported', () => {
    const published = Object.keys(publishedPage('3.10.3'))
    expect(published).toContain('WalletConnectService')
    expect(published.filter((name) => !(name in session))).toEqual([])
  })

  test('the wallets are the same except for their pictures, and both test wallets are marked', async () => {
    const { WALLET_LIST: published } = await import('@provenanceio/walletconnect-js')
    const data = (wallet: object) => JSON.parse(JSON.stringify(wallet)) as Exports
    expect(session.WALLET_LIST.map(data)).toEqual(
      published.map((wallet) => {
        const { icon: _icon, ...others } = data(wallet)
        return others.id === 'figure_mobile_test' ? { ...others, dev: true } : others
      }),
    )
  })
})

describe('the methods and the state of the service', () => {
  test('4.1 every published method exists', () => {
    const published = new (publishedPage('3.10.3').WalletConnectService)()
    const ours: object = new session.WalletConnectService()
    const methods = [
      ...Object.getOwnPropertyNames(published),
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(published)),
    ].filter((name) => !['constructor', 'state'].includes(name))
    expect(methods).toContain('addListener')
    for (const name of methods) expect(typeof Reflect.get(ours, name), name).toBe('function')
  })

  test('3 the initial state is the same except for the relay', () => {
    const published = new (publishedPage('3.10.3').WalletConnectService)().state
    const { state } = new session.WalletConnectService()
    expect(state).toEqual({
      ...published,
      // The page's issuer, see above.
      bridge: 'wss://page.example/service-wallet-connect-bridge/ws/external',
    })
  })
})
