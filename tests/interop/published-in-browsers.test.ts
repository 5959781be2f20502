/**
 * Pages with the published library and client in real browsers, and our wallets there: the extension, and the mobile wallet on
 * a phone-sized screen. The signatures and the transactions are verified by a published Cosmos library too.
 */
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { decodeTxRaw, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { type Browser, chromium, type Page } from '@playwright/test'
import { sendMessage } from '@portico/chain-client/messages'
import { bytesOfBase64, bytesOfHex } from '@portico/keys/bytes'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_SWITCHES, findChromium } from '../../tools/machine/chromium.ts'
import { BROWSER } from '../extension/support/browsers.ts'
import { type BuiltExtension, builtExtension } from '../extension/support/built-extension.ts'
import { createWallet } from '../extension/support/create-wallet.ts'
import { type PageServer, servePages } from '../extension/support/page-server.ts'
import { type BrowserPage, until } from '../support/browser-page.ts'
import { RELAY } from '../support/relay-client.ts'
import { preparedData, type ServerProcess, startServer } from '../support/server-process.ts'
import { type User, userOf } from '../support/user.ts'
import { ACCOUNT, CHAIN } from './support/account.ts'
import { type PublishedGlobals, publishedScripts } from './support/published.ts'

const PASSPHRASE = 'granite lantern 47 orchard'
const RECIPIENT = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
/** The words of the account, from protocol 17.2. */
const WORDS =
  'bleak alpha bunker give message direct powder general issue awesome animal ice entry parade invest sausage tragic away nuclear gaze learn during crew benefit'
/** 'I agree' in hexadecimal. */
const MESSAGE = '49206167726565'
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

const data = preparedData()
/** The hashes of the transactions that the wallets have sent. */
const payments: string[] = []

let server: ServerProcess
let extension: BuiltExtension
let partner: PageServer
let bridge: string

beforeAll(async () => {
  server = await startServer({ dataDir: data.path })
  bridge = new URL(RELAY, server.url.replace('http', 'ws')).href
  partner = await servePages(bridge, 'Partner', publishedScripts())
  extension = await builtExtension([server.url, partner.origin])
})

afterAll(async () => {
  extension[Symbol.dispose]()
  await partner[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  data.remove()
})

declare global {
  interface Window extends PublishedGlobals {
    service: InstanceType<PublishedGlobals['wcjs']['WalletConnectService']>
    client: InstanceType<PublishedGlobals['WalletConnect']['default']>
  }
}

/** Starts to connect with the published library, to the extension or by the code, which it resolves to. */
function connect(page: BrowserPage, walletAppId?: 'figure_extension'): Promise<string> {
  return page.evaluate(
    async (options) => {
      window.service = new window.wcjs.WalletConnectService()
      await window.service.init(options)
      return window.service.state.modal.QRCodeUrl
    },
    { bridge, ...(walletAppId && { walletAppId }) },
  )
}

const stateOf = (page: BrowserPage) => page.evaluate(() => window.service.state, undefined)

const connected = (page: BrowserPage) =>
  until('The connection', async () => {
    const state = await stateOf(page)
    return state.connected ? state : undefined
  })

/** Uses a connection to its end. */
async function use(page: BrowserPage, wallet: User, finish: () => Promise<void>) {
  expect(await connected(page)).toMatchObject({
    address: ACCOUNT.address,
    publicKey: ACCOUNT.publicKey,
  })
  await finish()

  const signing = page.evaluate((hex) => window.service.signHexMessage(hex), MESSAGE)
  await wallet.see('I agree')
  await wallet.approve('Sign')
  const signed = await signing
  expect(signed).toMatchObject({ valid: true })
  expect(isSigned(signed.result?.signature ?? '', MESSAGE)).toBe(true)
  await finish()

  const paying = page.evaluate((sent) => window.service.sendMessage(sent), {
    message: sendMessage({
      from: ACCOUNT.address,
      to: RECIPIENT,
      amount: '2500000000',
      denom: 'nhash',
    }),
    memo: 'Rent',
  })
  await wallet.see('Send 2.5 hash')
  await wallet.approve('Send')
  const paid = await paying
  expect(paid).toMatchObject({ valid: true, result: { txResponse: { code: 0 } } })
  payments.push(`${paid.result?.txResponse?.txhash}`)
  await finish()

  await page.evaluate(() => window.service.disconnect(), undefined)
  expect(await stateOf(page)).toMatchObject({ connected: false })
}

const isSigned = (signatureHex: string, bytesHex: string) =>
  isVerified(bytesOfHex(signatureHex), bytesOfHex(bytesHex))

/** Whether the published Cosmos library accepts the account's signature over the bytes. */
function isVerified(signature: Uint8Array | undefined, bytes: Uint8Array | undefined): boolean {
  if (signature === undefined || bytes === undefined) return false
  const fixed = Secp256k1Signature.fromFixedLength(signature)
  return Secp256k1.verifySignature(fixed, sha256(bytes), ACCOUNT.publicKeyBytes)
}

/** Starts to connect with the published client; resolves to the code. */
const connectClient = (page: BrowserPage) =>
  page.evaluate(
    async (options) => {
      window.client = new window.WalletConnect.default(options)
      await window.client.createSession()
      return window.client.uri
    },
    { bridge },
  )

async function clientConnected(page: BrowserPage): Promise<void> {
  await until('The connection', () =>
    page.evaluate(() => window.client.connected || undefined, undefined),
  )
  expect(await page.evaluate(() => window.client.accounts, undefined)).toMatchObject([
    { address: ACCOUNT.address },
  ])
}

/** Signs with the published client, which shares nothing with the library; resolves to the signature. */
async function signWithClient(
  page: BrowserPage,
  wallet: User,
  redirectUrl?: string,
): Promise<string> {
  const metadata = { description: '', address: ACCOUNT.address, date: Date.now(), redirectUrl }
  const signing = page.evaluate((request) => window.client.sendCustomRequest(request), {
    method: 'provenance_sign',
    params: [JSON.stringify(metadata), MESSAGE],
  })
  await wallet.see('I agree')
  await wallet.approve('Sign')
  return String(await signing)
}

describe(`with the extension in ${BROWSER.name}`, () => {
  test.skipIf(BROWSER.isMissing)(
    'protocol 13: a published page finds the extension, which connects, signs, pays and disconnects',
    async () => {
      await using browser = await BROWSER.open(extension)
      const wallet = userOf(async () => (await browser.approvalWindows())[0])
      const finish = async () => {
        await until(
          'Closing',
          async () => (await browser.approvalWindows()).length === 0 || undefined,
        )
      }
      const page = await browser.openPage(partner.origin)
      const walletCheck = (id: string) =>
        window.wcjs.WALLET_LIST.find((each) => each.id === id)?.walletCheck?.()
      expect(await page.evaluate(walletCheck, 'figure_extension')).toBe(true)
      await connect(page, 'figure_extension')
      await wallet.see('Set up your wallet')
      const [approval] = await browser.approvalWindows()
      if (approval === undefined) return expect.fail('The window was closed')
      await createWallet(approval, WORDS)
      expect(await wallet.see('Connect to this page?')).toContain(`${partner.origin} (verified)`)
      await wallet.approve('Connect')
      await use(page, wallet, finish)

      const uri = await connectClient(page)
      await page.evaluate((code) => {
        const detail = { event: 'walletconnect_init', uri: code }
        document.dispatchEvent(new CustomEvent('figureWalletExtensionSendMessage', { detail }))
      }, uri)
      await wallet.approve('Connect')
      await clientConnected(page)
      await finish()
      expect(isSigned(await signWithClient(page, wallet), MESSAGE)).toBe(true)
      await finish()
    },
  )
})

describe('with the mobile wallet on a phone-sized screen', () => {
  let browser: Browser
  let page: Page
  let phone: Page
  const wallet = userOf(async () => phone)

  beforeAll(async () => {
    const executablePath = findChromium()
    browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: BROWSER_SWITCHES,
    })
    page = await (await browser.newContext()).newPage()
    await page.goto(partner.origin)
    phone = await (await browser.newContext(PHONE)).newPage()
    await phone.goto(partner.origin)
    await phone.goto(`${server.url}/mobile-wallet`)
    await wallet.click('Restore from recovery words')
    await wallet.fill('Recovery words', WORDS)
    await wallet.click('Continue')
    await wallet.fill('Passphrase', PASSPHRASE)
    await wallet.fill('Passphrase again', PASSPHRASE)
    await wallet.click('Restore')
  })
  afterAll(() => browser?.close())

  async function paste(code: string): Promise<void> {
    await wallet.click('Scan')
    await wallet.click('Paste a link')
    await wallet.fill('Link', code)
    await wallet.click('Connect')
    await wallet.see('Connect to this page?')
    await wallet.approve('Connect')
  }

  const finish = async () => {
    await wallet.see('The page was notified.')
    await wallet.click('Done')
  }

  test('protocol 14: a published page shows a code, and the wallet connects, signs, pays and disconnects', async () => {
    await paste(await connect(page))
    await use(page, wallet, finish)
  })

  test('protocol 6: a page with the published client connects, and gets the way back only to itself', async () => {
    await paste(await connectClient(page))
    await clientConnected(page)
    await finish()
    expect(isSigned(await signWithClient(page, wallet), MESSAGE)).toBe(true)
    await finish()
    for (const redirectUrl of [
      'https://attacker.example/',
      'javascript:alert(1)',
      `${partner.origin.replace('http', 'https')}/`,
      `${partner.origin}@attacker.example/`,
    ]) {
      await signWithClient(page, wallet, redirectUrl)
      // A script is no address.
      const isAddress = !redirectUrl.startsWith('javascript:')
      const refusal = `open it at ${new URL(partner.origin).host}.`
      const decided = await wallet.see(isAddress ? refusal : 'The page was notified.')
      expect(decided).not.toContain('Return to page')
      await wallet.click('Done')
    }
    await signWithClient(page, wallet, `${partner.origin}/paid?order=7`)
    await wallet.click('Return to page')
    await phone.waitForURL(`${partner.origin}/paid?order=7`)
  })
})

test('3 a published Cosmos library reads and verifies every transaction that the wallets have sent', async () => {
  // Until then, no other process can read the database.
  await server.stop()
  using database = new DatabaseSync(path.join(data.path, 'portico.sqlite'), { readOnly: true })
  const account = database
    .prepare('select number from chain_accounts where address = ?')
    .get(ACCOUNT.address)
  const accountNumber = Number(account?.['number'])
  expect(payments.length).toBeGreaterThan(0)
  for (const hash of payments) {
    const stored = database.prepare('select bytes from chain_transactions where hash = ?').get(hash)
    const bytes = bytesOfBase64(String(stored?.['bytes'])) ?? new Uint8Array()
    const { body, signatures } = decodeTxRaw(bytes)
    const [message = { typeUrl: '', value: new Uint8Array() }] = body.messages
    expect(body.memo).toBe('Rent')
    expect(new Registry().decode(message)).toMatchObject({
      fromAddress: ACCOUNT.address,
      toAddress: RECIPIENT,
      amount: [{ denom: 'nhash', amount: '2500000000' }],
    })
    const { bodyBytes, authInfoBytes } = TxRaw.decode(bytes)
    const document = makeSignDoc(bodyBytes, authInfoBytes, CHAIN, accountNumber)
    expect(isVerified(signatures[0], makeSignBytes(document))).toBe(true)
  }
})
