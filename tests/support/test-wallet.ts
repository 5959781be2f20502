import { randomBytes } from 'node:crypto'
import { attachWallet, readWalletNonce, STORED_JWT_HEADER } from '@portico/contracts/wallet'
import { addressOf } from '@portico/keys/address'
import { base64Of, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { type Jwt, signJwt } from '@portico/keys/jwt'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import { seedOfWords } from '@portico/keys/words'
import type { Browser } from './browser.ts'

/** What a wallet's token may say otherwise than it should. */
interface Wrong {
  readonly iss?: string
  readonly iat?: number
  readonly exp?: number
  readonly addr?: string
}

/** A wallet that a person holds: its key never leaves it. */
export interface TestWallet {
  readonly address: string
  /** In standard base64. */
  readonly publicKey: string
  readonly token: (wrong?: Wrong) => Jwt
  /** The signature over hex, in hex. */
  readonly signHex: (hex: string) => string
}

/** Makes a wallet whose clock is the world's. */
export function aWallet(now: () => number, prefix = 'tp'): TestWallet {
  return walletOf(randomBytes(32), now, prefix)
}

/** The wallet of recovery words on the test network. */
export async function aWalletOfWords(now: () => number, words: string): Promise<TestWallet> {
  const { path, prefix } = NETWORKS.testnet
  return walletOf(privateKeyAt(await seedOfWords(words), path), now, prefix)
}

function walletOf(key: Uint8Array, now: () => number, prefix: string): TestWallet {
  const address = addressOf(publicKeyOf(key), prefix)
  return {
    address,
    publicKey: base64Of(publicKeyOf(key)),
    token: (wrong = {}) => {
      const iat = Math.floor(now() / 1000)
      return signJwt(key, { iss: 'provenance.io', iat, exp: iat + 86_400, addr: address, ...wrong })
    },
    signHex: (hex) => hexOf(sign(key, bytesOfHex(hex) ?? new Uint8Array())),
  }
}

/** The headers of a call on the wallet identity path (§7.1, §7.4). */
export function walletHeaders(browser: Browser, token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, [STORED_JWT_HEADER]: browser.jwt.read() ?? '' }
}

/** Attaches a wallet as the verify steps do (§4.2): nonce, signature, attach. The browser keeps the token. */
export async function attach(
  browser: Browser,
  wallet: TestWallet,
  query: { readonly walletName?: string; readonly defaultWallet?: 'true' | 'false' } = {},
): Promise<void> {
  const headers = walletHeaders(browser, wallet.token())
  const { hexEncodedNonce } = await browser.call(readWalletNonce, { headers })
  const signedNonceHex = wallet.signHex(hexEncodedNonce)
  const { jwt } = await browser.call(attachWallet, {
    headers,
    query: { signedNonceHex, ...query },
  })
  browser.jwt.keep(jwt)
}
