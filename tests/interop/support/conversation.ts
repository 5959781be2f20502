/** The whole conversation of a page and a wallet, as tests for any pairing of libraries. */
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { verifyJwt } from '@portico/keys/jwt'
import { parseUri } from '@portico/wallet-connect/protocol'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { RELAY } from '../../support/relay-client.ts'
import { aWorld } from '../../support/world.ts'
import { ACCOUNT, GROUP } from './account.ts'
import { PAGE_META } from './browser.ts'
import { aPage, type PageKind, type TestPage } from './pages.ts'
import type { Decisions, TestWallet, WalletKind } from './wallets.ts'

/** Generous, because busy machines are slow and speed is not tested. */
const WAITS = { timeout: 30_000, interval: 10 }

/** MsgSend of 100000 nhash, protocol 17.5. */
const MESSAGE =
  'ChwvY29zbW9zLmJhbmsudjFiZXRhMS5Nc2dTZW5kEmcKKXRwMWtuc3hmbm4wbHE0OG1tbmtmbmtndGtrOHFueHhkdTB5MnRrbGtoEil0cDEzZGtoNmxoZTV6emZlNHF3a2w0ZnF5Zm1oNThwMzV3NXFheHd4eRoPCgVuaGFzaBIGMTAwMDAw'

/** Protocol 17.3: the account's signature over `deadbeef`, made by a public package. */
const OVER_DEADBEEF =
  '399a9dfadcfe8cfe47093ba91e0ce9d24a8ba434d923b4eab37b8886939ae5810365c89d52f48a293b1f2b085b2fe2acd7348b1b4ff60b711028d97bd6a094e0'

/** A page and a wallet on a relay. */
export interface Pair extends AsyncDisposable {
  readonly page: TestPage
  readonly wallet: TestWallet
}

/** Starts a server for the surrounding tests; returns its relay's URL. */
export function aRelay(): () => string {
  let world: Awaited<ReturnType<typeof aWorld>>
  beforeAll(async () => {
    world = await aWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())
  return () => new URL(RELAY, world.url.replace(/^http/, 'ws')).href
}

/** Connects a page and a wallet through a relay, and waits until the page has the user's decision. */
export async function together(
  bridge: string,
  pageKind: PageKind,
  walletKind: WalletKind,
  decisions: Decisions = {},
): Promise<Pair> {
  const page = aPage(pageKind)
  await page.service.init({ bridge })
  const wallet = await walletKind.join(page.service.state.modal.QRCodeUrl, decisions)
  const outcome = decisions.connect === 'refuse' ? 'FWC_DISCONNECT' : 'FWC_CONNECTED'
  await vi.waitFor(() => expect(page.howOften(outcome)).toBe(1), WAITS)
  return {
    page,
    wallet,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]()
      await wallet.leave()
    },
  }
}

/** Runs all conversation tests with a page and a wallet. */
export function conversations(pageKind: PageKind, walletKind: WalletKind): void {
  describe(`${pageKind.name} and ${walletKind.name}`, () => {
    const bridge = aRelay()
    const pair = (decisions?: Decisions) => together(bridge(), pageKind, walletKind, decisions)

    test('2.7 connect: each has the other’s metadata, and the page has the account', async () => {
      await using both = await pair()
      const { page, wallet } = both
      expect(wallet.page()).toMatchObject(PAGE_META)
      expect(page.service.state).toMatchObject({
        status: 'connected',
        connected: true,
        address: ACCOUNT.address,
        publicKey: ACCOUNT.publicKey,
        walletInfo: { id: ACCOUNT.address, name: ACCOUNT.name, coin: 'testNet' },
        attributes: [],
        representedGroupPolicy: null,
        pendingMethod: '',
        connectionTimeout: 86_400_000,
      })
      const { state } = page.service
      expect((state.connectionEXP ?? 0) - (state.connectionEST ?? 0)).toBe(86_400_000)
      expect(page.payloadOf('FWC_CONNECTED')).toEqual({
        result: {
          connectionEST: state.connectionEST,
          connectionEXP: state.connectionEXP,
          connectionType: 'new session',
        },
      })
      const verdict = verifyJwt(state.signedJWT, { now: Date.now() / 1000 })
      expect(verdict).toMatchObject({ ok: true, claims: { addr: ACCOUNT.address } })
    })

    test('4.1 the code carries the options of the page', async () => {
      await using page = aPage(pageKind)
      await page.service.init({
        bridge: bridge(),
        individualAddress: ACCOUNT.address,
        groupAddress: GROUP.address,
        prohibitGroups: true,
        jwtExpiration: 77,
        duration: 3600,
      })
      const { QRCodeUrl } = page.service.state.modal
      const tail = `&individualAddress=${ACCOUNT.address}&groupAddress=${GROUP.address}&prohibitGroups=true&jwtExpiration=77&connectionDuration=3600`
      expect(QRCodeUrl.endsWith(tail)).toBe(true)
      expect(parseUri(QRCodeUrl)?.options).toEqual({
        individualAddress: ACCOUNT.address,
        groupAddress: GROUP.address,
        prohibitGroups: true,
        jwtExpirationS: 77,
        connectionDurationS: 3600,
      })
    })

    test('2.7 a hex message is signed, and the signature is the one every wallet makes', async () => {
      await using both = await pair()
      const { page, wallet } = both
      const result = await page.service.signHexMessage('deadbeef', { customId: 'sign-1' })
      expect(result).toMatchObject({ valid: true, result: { signature: OVER_DEADBEEF } })
      expect(wallet.toSign).toEqual(['deadbeef'])
      expect(page.payloadOf('SIGN_HEX_MESSAGE_COMPLETE')).toBe(result)
      expect(page.service.state.pendingMethod).toBe('')
    })

    test('2.7 a message of many kilobytes is signed too', async () => {
      await using both = await pair()
      const hex = '5a'.repeat(60_000)
      const result = await both.page.service.signHexMessage(hex)
      expect(result.valid).toBe(true)
      expect(both.wallet.toSign).toEqual([hex])
    })

    test('4.1 a signed token passes a server’s verification', async () => {
      await using both = await pair()
      const { page, wallet } = both
      const { valid, result } = await page.service.signJWT(600)
      expect(valid).toBe(true)
      const token = result?.signedJWT ?? ''
      const verdict = verifyJwt(token, { now: Date.now() / 1000 })
      expect(verdict).toMatchObject({ ok: true, claims: { addr: ACCOUNT.address } })
      const [header, claims, signature] = token.split('.')
      expect(wallet.toSign).toEqual([Buffer.from(`${header}.${claims}`).toString('hex')])
      expect(bytesOfBase64(signature ?? '')).toEqual(bytesOfHex(result?.signature ?? ''))
      expect(page.service.state.signedJWT).toBe(token)
      expect(page.howOften('SIGN_JWT_COMPLETE')).toBe(1)
    })

    test('5 a transaction reaches the wallet complete, and its result reaches the page', async () => {
      await using both = await pair()
      const { page, wallet } = both
      const gasPrice = { gasPrice: 1905, gasPriceDenom: 'nhash' }
      const result = await page.service.sendMessage({
        message: [MESSAGE, MESSAGE],
        memo: 'für Ä',
        gasPrice,
        customId: 'tx-1',
      })
      expect(wallet.transactions).toEqual([
        { messages: [MESSAGE, MESSAGE], memo: 'für Ä', gasPrice },
      ])
      expect(result).toMatchObject({ valid: true, result: { txResponse: { code: 0, height: 7 } } })
      expect(page.payloadOf('SEND_MESSAGE_COMPLETE')).toBe(result)
    })

    test('5 a transaction that the chain refused fails with its raw log', async () => {
      await using both = await pair({ code: 5 })
      const { page } = both
      const result = await page.service.sendMessage({ message: MESSAGE })
      expect(result).toMatchObject({
        valid: false,
        error: 'insufficient funds',
        result: { txResponse: { code: 5 } },
      })
      expect(page.payloadOf('SEND_MESSAGE_FAILED')).toBe(result)
    })

    test('4.1 the wallet acts for a group and then as the individual again, and the page follows', async () => {
      await using both = await pair()
      const { page } = both
      const there = await page.service.switchToGroup(GROUP.address)
      expect(there.valid).toBe(true)
      await vi.waitFor(
        () => expect(page.service.state.representedGroupPolicy).toMatchObject(GROUP),
        WAITS,
      )
      expect(page.payloadOf('FWC_SESSION_UPDATED')).toMatchObject({
        result: { connectionType: 'existing session' },
      })
      expect(page.howOften('SWITCH_TO_GROUP_COMPLETE')).toBe(1)
      const back = await page.service.switchToGroup()
      expect(back.valid).toBe(true)
      await vi.waitFor(() => expect(page.service.state.representedGroupPolicy).toBeNull(), WAITS)
      const signed = await page.service.signHexMessage('deadbeef')
      expect(signed.valid).toBe(true)
    })

    test('4.1 the wallet switches to a group on its own, and the page follows', async () => {
      await using both = await pair()
      const { page, wallet } = both
      await wallet.update(GROUP)
      await vi.waitFor(
        () => expect(page.service.state.representedGroupPolicy).toMatchObject(GROUP),
        WAITS,
      )
      expect(page.service.state).toMatchObject({ status: 'connected', address: ACCOUNT.address })
      expect(page.howOften('FWC_SESSION_UPDATED')).toBe(1)
    })

    test('4.1 a request can be withdrawn while it waits', async () => {
      await using both = await pair({ sign: 'wait' })
      const { page, wallet } = both
      const waiting = page.service.signHexMessage('deadbeef', { customId: 'sign-1' })
      await vi.waitFor(() => expect(wallet.toSign).toEqual(['deadbeef']), WAITS)
      expect(page.service.state.pendingMethod).toBe('signHexMessage')
      const removed = await page.service.removePendingMethod('sign-1')
      expect(removed.valid).toBe(true)
      expect(page.howOften('REMOVE_PENDING_METHOD_COMPLETE')).toBe(1)
      expect(await waiting).toMatchObject({ valid: false, error: expect.any(String) })
      expect(page.howOften('SIGN_HEX_MESSAGE_FAILED')).toBe(1)
    })

    test('2.7 a refused signature is reported with the wallet’s text', async () => {
      await using both = await pair({ sign: 'refuse' })
      const { page } = both
      const result = await page.service.signHexMessage('deadbeef')
      expect(result).toMatchObject({ valid: false, error: `Error: ${walletKind.words.signature}` })
      expect(page.payloadOf('SIGN_HEX_MESSAGE_FAILED')).toBe(result)
      expect(page.service.state.status).toBe('connected')
    })

    test('2.7 a refused connection ends the attempt with the wallet’s text', async () => {
      await using both = await pair({ connect: 'refuse' })
      const { page, wallet } = both
      expect(page.payloadOf('FWC_DISCONNECT')).toEqual({
        result: { message: walletKind.words.connection },
      })
      expect(page.service.state).toMatchObject({ status: 'disconnected', address: '' })
      await vi.waitFor(() => expect(wallet.isOver()).toBe(true), WAITS)
    })

    test('4.1 the page ends the session, and the wallet is notified', async () => {
      await using both = await pair()
      const { page, wallet } = both
      await page.service.disconnect('Done here')
      await vi.waitFor(() => expect(wallet.isOver()).toBe(true), WAITS)
      expect(page.payloadOf('FWC_DISCONNECT')).toEqual({ result: { message: 'Done here' } })
      expect(page.service.state).toMatchObject({ status: 'disconnected', address: '' })
      expect(localStorage.getItem('walletconnect')).toBeNull()
    })

    test('4.1 the wallet ends the session, and the page is notified', async () => {
      await using both = await pair()
      const { page, wallet } = both
      await wallet.end()
      await vi.waitFor(() => expect(page.howOften('FWC_DISCONNECT')).toBe(1), WAITS)
      expect(page.payloadOf('FWC_DISCONNECT')).toEqual({
        result: { message: 'Session disconnected' },
      })
      expect(page.service.state).toMatchObject({ status: 'disconnected', address: '' })
      expect(localStorage.getItem('walletconnect')).toBeNull()
    })
  })
}
