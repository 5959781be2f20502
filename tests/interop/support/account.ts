import { addressOf } from '@portico/keys/address'
import { base64Of, bytesOfBase64, hexOf } from '@portico/keys/bytes'
import { signJwt } from '@portico/keys/jwt'
import { NETWORKS } from '@portico/keys/networks'
import { publicKeyOf, sign } from '@portico/keys/signature'

// A published test key; protocol 17.2 has its words.
const KEY = bytesOfBase64('GfZjpPYNtlHABQtRf+9Xdnhusfsu2SprJV/xURoLT2o=') ?? new Uint8Array()
const PUBLIC_KEY = publicKeyOf(KEY)

/** The chain of this suite's wallets. */
export const CHAIN = NETWORKS.testnet.chainId

/** The account of this suite's wallets. */
export const ACCOUNT = {
  privateKey: KEY,
  address: addressOf(PUBLIC_KEY, NETWORKS.testnet.prefix),
  publicKey: base64Of(PUBLIC_KEY),
  publicKeyBytes: PUBLIC_KEY,
  name: 'My account',
} as const

/** A group that this account may act for. */
export const GROUP = {
  address: addressOf(publicKeyOf(new Uint8Array(32).fill(7)), NETWORKS.testnet.prefix),
  groupId: 55,
  metadata: { name: 'The firm' },
}

/** Signs with the account's key; returns hex. */
export function signatureOver(message: Uint8Array): string {
  return hexOf(sign(KEY, message))
}

/** The two account formats of wallets. */
export type AccountForm = 'object' | 'array'

/** The account as sent by a third-party wallet, with its token. */
export function accountsInForm(form: AccountForm, group: typeof GROUP | null): readonly unknown[] {
  const iat = Math.floor(Date.now() / 1000) - 60
  const jwt = signJwt(KEY, {
    iss: 'provenance.io',
    iat,
    exp: iat + 86_400,
    addr: ACCOUNT.address,
    ...(group === null ? {} : { grp: group.address }),
  })
  if (form === 'array') return [ACCOUNT.address, ACCOUNT.publicKey, jwt]
  return [
    {
      address: ACCOUNT.address,
      publicKey: ACCOUNT.publicKey,
      jwt,
      walletInfo: { id: ACCOUNT.address, name: ACCOUNT.name, coin: 'testNet' },
      attributes: [],
      representedGroupPolicy: group,
    },
  ]
}
