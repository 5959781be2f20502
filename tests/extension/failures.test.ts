/** What the user sees when the chain, the network or the relay fails during an approval, and how it continues. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserPage, until } from '../support/browser-page.ts'
import { PAYEE, packedPayment } from '../support/packed-payment.ts'
import { preparedData, type ServerProcess, startServer } from '../support/server-process.ts'
import { CHROMIUM } from './support/browsers.ts'
import { type BuiltExtension, builtExtension } from './support/built-extension.ts'
import { createWallet } from './support/create-wallet.ts'
import { approvalText, type ExtensionBrowser, press } from './support/extension-browser.ts'
import { aNetwork, type Network } from './support/network.ts'
import { call, type PageServer, servePages } from './support/page-server.ts'

/** The words of published test vectors. */
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const data = preparedData()
let server: ServerProcess
let network: Network
let lender: PageServer
let extension: BuiltExtension

beforeAll(async () => {
  server = await startServer({ dataDir: data.path })
  network = await aNetwork(server.url)
  const relay = `${network.origin.replace('http', 'ws')}/service-wallet-connect-bridge/ws/external`
  lender = await servePages(relay, 'Lender')
  extension = await builtExtension([network.origin, lender.origin])
})

afterAll(async () => {
  extension[Symbol.dispose]()
  await lender[Symbol.asyncDispose]()
  await network[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  data.remove()
})

const respond = (status: number, text: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

describe.skipIf(CHROMIUM.isMissing)('8 while something fails', () => {
  let browser: ExtensionBrowser
  let page: BrowserPage
  let address = ''

  beforeAll(async () => {
    if (CHROMIUM.isMissing) return
    browser = await CHROMIUM.open(extension)
    page = await browser.openPage(lender.origin)
    await call(page, 'connect')
    await approvalText(browser, 'Set up your wallet')
    const [window] = await browser.approvalWindows()
    if (window === undefined) throw new Error('The window was closed')
    await createWallet(window, WORDS)
    await press(browser, 'Connect')
    await until(
      'The connection',
      async () => (await call(page, 'status')) === 'connected' || undefined,
    )
    address = String(await call(page, 'address'))
  })

  afterAll(() => browser?.[Symbol.asyncDispose]())

  const results = (count: number) =>
    until(`${count} results`, async () => {
      const all = (await call(page, 'results')) as readonly unknown[]
      return all.length >= count ? all : undefined
    })

  const received = async (): Promise<number> => {
    const path = `/chain/cosmos/bank/v1beta1/balances/${PAYEE}/by_denom?denom=nhash`
    const { balance } = await (await fetch(`${server.url}${path}`)).json()
    return Number(balance.amount)
  }

  const send = (amount: string, options: object = {}) =>
    call(page, 'startSending', { message: packedPayment(address, amount), ...options })

  test('a chain that is down, faulty or slow is named, and trying again continues; so are missing funds and a low fee', async () => {
    network.setChain((response) => response.destroy())
    await send('5')
    await approvalText(browser, 'The network cannot be reached.')
    for (const [chain, text] of [
      [respond(500, '<html>'), 'The network sent an unusable response.'],
      [respond(200, '{"account":7}'), 'The network sent an unusable response.'],
      [respond(503, ''), 'The network cannot be reached.'],
      [() => undefined, 'The network took too long to respond.'],
    ] as const) {
      network.setChain(chain)
      await press(browser, 'Try again')
      await approvalText(browser, text)
    }
    network.setChain(undefined)
    const before = await received()
    await press(browser, 'Try again')
    await press(browser, 'Send')
    expect(await results(1)).toMatchObject([{ valid: true }])
    expect((await received()) - before).toBe(5)

    await send('5000000000000')
    await approvalText(
      browser,
      'The account does not have enough funds for the amount and the fee.',
    )
    await press(browser, 'Reject')
    expect(await results(2)).toMatchObject([{ valid: true }, { valid: false }])

    await send('5', { gasPrice: { gasPrice: 0, gasPriceDenom: 'nhash' } })
    await press(browser, 'Send')
    await approvalText(browser, 'its fee is too low')
    await press(browser, 'Reject')
    expect((await results(3)).at(-1)).toMatchObject({ valid: false })
    expect((await received()) - before).toBe(5)
  })

  test('without a network in the middle of an approval, the outcome is unknown, and nothing is sent twice', async () => {
    const before = await received()
    const { length } = await results(0)
    await send('7')
    await approvalText(browser, '0.000000007 hash')
    network.off()
    await press(browser, 'Send')
    await approvalText(browser, 'It is not known yet whether the network carried out')
    network.on()
    await press(browser, 'I understand')
    expect((await results(length + 1)).at(-1)).toMatchObject({ valid: false })

    await send('100')
    await press(browser, 'Next request (1 left)')
    await press(browser, 'Send')
    expect((await results(length + 2)).at(-1)).toMatchObject({ valid: true })
    expect([100, 107]).toContain((await received()) - before)
  })

  test('7.4 a relay that restarts in the middle of an approval passes the result on', async () => {
    const { length } = await results(0)
    await call(page, 'startSigning', Buffer.from('I agree').toString('hex'))
    await approvalText(browser, 'I agree')
    await server.stop()
    await press(browser, 'Sign')
    server = await startServer({ dataDir: data.path })
    network.connectTo(server.url)
    expect((await results(length + 1)).at(-1)).toMatchObject({ valid: true })
  })
})
