import { randomBytes } from 'node:crypto'
import { attachWallet, readWalletNonce, STORED_JWT_HEADER } from '@portico/contracts/wallet'
import { addressOf } from '@portico/keys/address'
import { base64Of, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { privateKeyAt } from '@portico/keys/derivation'
import { type Jwt, signJwt } from '@portico/keys/jwt'
import { seedOfWords } from '@portico/keys/mnemonic'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'
import type { Browser } from './browser.ts'

/** Overridden token claims. */
interface ClaimOverrides {
  readonly iss?: string
  readonly iat?: number
  readonly exp?: number
  readonly addr?: string
  readonly origin?: string
}

/** A self-custody wallet: its key never leaves it. */
export interface TestWallet {
  readonly address: string
  /** In standard base64. */
  readonly publicKey: string
  readonly token: (wrong?: ClaimOverrides) => Jwt
  /** Signs hex-encoded bytes; returns hex. */
  readonly signHex: (hex: string) => string
}

/** Creates a wallet that uses the world's clock. */
export function aWallet(now: () => number, prefix = 'tp'): TestWallet {
  return walletOf(randomBytes(32), now, prefix)
}

/** Creates the testnet wallet of recovery words. */
export async function aWalletOfWords(now: () => number, words: string): Promise<TestWallet> {
  const { path, prefix } = NETWORKS.testnet
  return walletOf(privateKeyAt(await seedOfWords(words), path), now, prefix)
}

/** The wallet of a key. */
export function walletOf(key: Uint8Array, now: () => number, prefix = 'tp'): TestWallet {
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

/** Attaches a wallet by the verify steps (§4.2): nonce, signature, attach. The browser stores the token. */
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
  browser.jwt.write(jwt)
}
