import { ApiError } from '@portico/client/api-error'
import { readIdentity } from '@portico/contracts/identity'
import { attachWallet, readWalletNonce, STORED_JWT_HEADER } from '@portico/contracts/wallet'
import { bytesOfHex } from '@portico/keys/bytes'
import { completeJwt } from '@portico/keys/jwt'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aWallet, type TestWallet, walletHeaders } from '../support/test-wallet.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const MINUTE_MS = 60_000

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A correctly signed token with any header and claims. */
function forged(wallet: TestWallet, header: unknown, claims: unknown): string {
  const unsigned = `${encoded(header)}.${encoded(claims)}`
  const signature = wallet.signHex(Buffer.from(unsigned).toString('hex'))
  return completeJwt(unsigned, bytesOfHex(signature) ?? new Uint8Array())
}

async function signedInWorld() {
  const owner = newPerson('owner')
  const world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const wallet = aWallet(world.clock.now)
  const now = Math.floor(world.clock.now() / 1000)
  const claims = {
    sub: wallet.publicKey,
    iss: 'provenance.io',
    iat: now,
    exp: now + 600,
    addr: wallet.address,
  }
  return { world, browser, owner, wallet, now, claims }
}

/** The results of both calls of the wallet identity path for a token; the nonce is correctly signed. */
async function verdicts(browser: Browser, wallet: TestWallet, token: string) {
  const headers = walletHeaders(browser, token)
  const nonceVerdict = await refusal(browser.call(readWalletNonce, { headers }))
  const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
  const query = { signedNonceHex: wallet.signHex(hexEncodedNonce) }
  const attached = await refusal(browser.call(attachWallet, { headers, query }))
  return [nonceVerdict, attached].map(({ status, code }) => `${status} ${code}`)
}

const REFUSED = ['403 wallet-token-refused', '403 wallet-token-refused']

test('wallet tokens: another issuer, audience, network, address, time or key is refused on every endpoint', async () => {
  const { world, browser, wallet, now, claims } = await signedInWorld()
  await using _ = world
  const jwt = { alg: 'ES256K', typ: 'JWT' }
  const otherKey = aWallet(world.clock.now)
  const mainnet = aWallet(world.clock.now, 'pb')
  const wrong: Readonly<Record<string, string>> = {
    'another issuer': wallet.token({ iss: 'evil.example' }),
    'an issuer that begins alike': wallet.token({ iss: 'provenance.io.evil.example' }),
    'no issuer': forged(wallet, jwt, { ...claims, iss: undefined }),
    'several issuers': forged(wallet, jwt, { ...claims, iss: ['provenance.io'] }),
    'an audience': forged(wallet, jwt, { ...claims, aud: 'https://other.example' }),
    'our own audience': forged(wallet, jwt, { ...claims, aud: 'portico:session' }),
    'an empty audience': forged(wallet, jwt, { ...claims, aud: null }),
    'the other network': mainnet.token(),
    'another address': wallet.token({ addr: otherKey.address }),
    'another key': forged(otherKey, jwt, claims),
    'an invalid address': wallet.token({ addr: 'tp1nobody' }),
    expired: wallet.token({ iat: now - 100, exp: now - 1 }),
    'not valid yet': wallet.token({ iat: now + 3600, exp: now + 7200 }),
    'no expiry': forged(wallet, jwt, { ...claims, exp: undefined }),
    'an expiry that is not a number': forged(wallet, jwt, { ...claims, exp: '9999999999' }),
    'the type of our sessions': forged(wallet, { ...jwt, typ: 'session+jwt' }, claims),
    'a critical extension': forged(wallet, { ...jwt, crit: ['exp'] }, claims),
    'a token of a session': (browser.jwt.read() ?? '').replace('Bearer ', ''),
    'three words': 'not.a.token',
    nothing: 'x',
  }
  for (const [what, token] of Object.entries(wrong)) {
    const [nonceVerdict, attached] = await verdicts(browser, wallet, token).catch(
      (error: unknown) => [String(error)],
    )
    if (what === 'a token of a session') {
      // It may request a nonce (§7.4), but proves no wallet.
      expect([nonceVerdict, attached], what).toEqual(['Error: The call was not refused', undefined])
      continue
    }
    expect([nonceVerdict, attached], what).toEqual(REFUSED)
  }
  // The error names a known other network, but never repeats an invented prefix.
  const noticesFor = (token: string) =>
    browser
      .call(readWalletNonce, { headers: walletHeaders(browser, token) })
      .catch((error: unknown) => (error instanceof ApiError ? error.notices : []))
  expect(await noticesFor(mainnet.token())).toEqual([
    expect.stringMatching(/^This wallet is on the main network .* uses the test network/),
  ])
  expect(await noticesFor(wallet.token({ addr: '<b>1nobody' }))).not.toContainEqual(
    expect.stringContaining('<b>'),
  )
  expect(await world.query("select * from wallets where name = 'Wallet'")).toEqual([])
  // None of these requests ended the session.
  await browser.call(readIdentity, {})
})

test('wallet tokens: a token that was made for another page attaches nothing, and one without a page does', async () => {
  const { world, browser, wallet } = await signedInWorld()
  await using _ = world
  for (const origin of ['https://stranger.example', 'null', `${world.origin}.evil.example`]) {
    expect(await verdicts(browser, wallet, wallet.token({ origin })), origin).toEqual(REFUSED)
  }
  const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
  const signedNonceHex = wallet.signHex(hexEncodedNonce)
  const [, named = ''] =
    /^Sign in to (\S+) /.exec(Buffer.from(hexEncodedNonce, 'hex').toString()) ?? []
  const headers = walletHeaders(browser, wallet.token({ origin: named }))
  expect(await browser.call(attachWallet, { headers, query: { signedNonceHex } })).toHaveProperty(
    'jwt',
  )
})

test('wallet tokens: a token of our own session attaches nothing', async () => {
  const { world, browser, wallet } = await signedInWorld()
  await using _ = world
  const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
  const authorization = browser.jwt.read() ?? ''
  const headers = { authorization, [STORED_JWT_HEADER]: authorization }
  const query = { signedNonceHex: wallet.signHex(hexEncodedNonce) }
  expect((await refusal(browser.call(attachWallet, { headers, query }))).code).toBe(
    'wallet-token-refused',
  )
})

test('wallet tokens: another alg is refused, even with a correct signature', async () => {
  const { world, browser, wallet, claims } = await signedInWorld()
  await using _ = world
  for (const alg of ['none', 'None', '', null, undefined, ['ES256K'], 'es256k', 'ES256', 'HS256']) {
    const token = forged(wallet, { alg, typ: 'JWT' }, claims)
    expect(await verdicts(browser, wallet, token), JSON.stringify(alg)).toEqual(REFUSED)
    const [header = '', payload = ''] = token.split('.')
    expect(await verdicts(browser, wallet, `${header}.${payload}.AA`)).toEqual(REFUSED)
  }
})

test('wallet tokens: the twin of a signature with high S is refused', async () => {
  const { world, browser, wallet } = await signedInWorld()
  await using _ = world
  const [header = '', payload = '', signature = ''] = wallet.token().split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const twin = Buffer.concat([
    bytes.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
  ])
  const token = `${header}.${payload}.${twin.toString('base64url')}`
  expect(await verdicts(browser, wallet, token)).toEqual(REFUSED)
})

test('8 a wallet token without the claim is refused with: jwt is missing addr claim', async () => {
  const { world, browser, wallet, claims } = await signedInWorld()
  await using _ = world
  const token = forged(wallet, { alg: 'ES256K', typ: 'JWT' }, { ...claims, addr: undefined })
  const headers = walletHeaders(browser, token)
  await expect(browser.call(readWalletNonce, { headers })).rejects.toMatchObject({
    status: 400,
    message: 'jwt is missing addr claim',
  })
})

test('wallet nonces: one of another session or key, used or expired, attaches nothing', async () => {
  const { world, browser, owner, wallet } = await signedInWorld()
  await using _ = world
  const [second, stranger] = [world.browser(), world.browser()]
  await second.signIn(owner)
  await stranger.register(newPerson('stranger'))
  const attempt = async (signedNonceHex: string, by = browser) =>
    (
      await refusal(
        by.call(attachWallet, {
          headers: walletHeaders(by, wallet.token()),
          query: { signedNonceHex },
        }),
      )
    ).code
  const nonceOf = async (by: Browser) => (await by.call(readWalletNonce, {})).hexEncodedNonce

  for (const other of [second, stranger]) {
    expect(await attempt(wallet.signHex(await nonceOf(other)))).toBe('signed-nonce-refused')
  }
  const otherKey = aWallet(world.clock.now)
  expect(await attempt(otherKey.signHex(await nonceOf(browser)))).toBe('signed-nonce-refused')
  expect(await attempt(wallet.signHex('deadbeef'))).toBe('signed-nonce-refused')
  expect(await attempt('0'.repeat(128))).toBe('signed-nonce-refused')

  const late = wallet.signHex(await nonceOf(browser))
  world.clock.pass(11 * MINUTE_MS)
  await browser.call(readIdentity, {})
  expect(await attempt(late)).toBe('signed-nonce-refused')

  const used = wallet.signHex(await nonceOf(browser))
  const headers = walletHeaders(browser, wallet.token())
  await browser.call(attachWallet, { headers, query: { signedNonceHex: used } })
  expect(await attempt(used)).toBe('signed-nonce-refused')
})

test('wallet endpoints: the stored token is required beside the wallet’s, and the cookie beside both', async () => {
  const { world, browser, wallet } = await signedInWorld()
  await using _ = world
  const stranger = world.browser()
  await stranger.register(newPerson('stranger'))
  const { hexEncodedNonce } = await browser.call(readWalletNonce, {})
  const path = `/identity/api/v3/wallet/attach?signedNonceHex=${wallet.signHex(hexEncodedNonce)}`
  const authorization = `Bearer ${wallet.token()}`
  const own = browser.jwt.read() ?? ''
  const tries: readonly [Browser, Record<string, string>, number][] = [
    [browser, { authorization }, 401],
    [browser, { authorization, [STORED_JWT_HEADER]: own.replace('Bearer ', '') }, 401],
    [browser, { authorization, [STORED_JWT_HEADER]: authorization }, 401],
    [browser, { authorization, [STORED_JWT_HEADER]: stranger.jwt.read() ?? '' }, 403],
    [stranger, { authorization, [STORED_JWT_HEADER]: own }, 403],
    [world.browser(), { authorization, [STORED_JWT_HEADER]: own }, 403],
  ]
  for (const [by, headers, status] of tries) {
    expect((await by.fetch(path, { method: 'POST', headers })).status).toBe(status)
  }
  // A wallet without a session gets no nonce.
  const nonce = '/identity/api/v3/wallet/nonce'
  expect((await world.browser().fetch(nonce, { headers: { authorization } })).status).toBe(403)
  expect((await browser.fetch(nonce)).status).toBe(401)
  expect((await stranger.fetch(nonce, { headers: { authorization: own } })).status).toBe(403)
  expect((await browser.fetch(nonce, { headers: { authorization } })).status).toBe(200)
})
