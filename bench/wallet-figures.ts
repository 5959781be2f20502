import { randomBytes } from 'node:crypto'
import {
  attachWallet,
  readAccounts,
  readWalletJwt,
  readWalletNonce,
  STORED_JWT_HEADER,
} from '@portico/contracts/wallet'
import { addressOf } from '@portico/keys/address'
import { bytesOfHex, hexOf } from '@portico/keys/bytes'
import { signJwt } from '@portico/keys/jwt'
import { publicKeyOf, sign } from '@portico/keys/signature'
import { type Figure, figure, perSecond } from './figure.ts'
import { anotherNetwork, putLoad, wireRequest } from './load.ts'
import { measureAlternately } from './pairs.ts'
import { emptyRequests, type SignedIn, signedIn } from './requests.ts'
import type { Engine } from './seeds.ts'
import { atFullSpeed } from './server-figures.ts'
import { aSite, emptyServer } from './sites.ts'

const IDENTITIES = 10_000
const PEOPLE = 400
const CONNECTIONS = 32
/** Prepared requests per load; a faster machine repeats them. */
const REQUESTS = 4000

/** A signed-in person with their own wallet. */
type Holder = SignedIn & { readonly key: Uint8Array; readonly address: string }

/** Measures the calls of wallets (§7.4) on one database, each against an empty route. */
export async function walletFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, IDENTITIES)
  await using product = await site.serve()
  await using empty = await emptyServer()
  const { port } = product
  const people = await signedIn(port, site, 0, PEOPLE)
  const holders = people.map((person): Holder => ({ ...person, ...aKey() }))
  // Each person has a wallet before lists are measured.
  await attachOnce(port, holders)

  const nonces = holders.map((holder) => nonceRequest(port, holder))
  const lists = among(holders, (holder) => authorized(port, readAccounts.path, holder))
  const choices = among(holders, (holder) =>
    authorized(port, `${readWalletJwt.path}?walletAddress=${holder.address}`, holder),
  )
  const bareRequests = emptyRequests(empty.port, lists[0] ?? '')
  const { bare, nonce, attach, choice, list } = await measureAlternately(rounds, {
    bare: () => atFullSpeed(empty.port, bareRequests, site),
    nonce: () => atFullSpeed(port, nonces, site),
    attach: () => attachOnce(port, holders),
    choice: () => atFullSpeed(port, choices, site),
    list: () => atFullSpeed(port, lists, site),
  })
  const against = { on: engine, baseline: bare, write: perSecond }
  return [
    figure({ ...against, figure: 'Wallet nonce; an empty route', ours: nonce }),
    figure({ ...against, figure: 'Attach of a wallet; an empty route', ours: attach }),
    figure({
      ...against,
      figure: 'Wallet token (wallet-jwt) of the selected account; an empty route',
      ours: choice,
    }),
    figure({ ...against, figure: 'Account list; an empty route', ours: list }),
  ]
}

function aKey() {
  const key = randomBytes(32)
  return { key, address: addressOf(publicKeyOf(key), 'tp') }
}

/** Attaches each wallet once; getting and signing nonces is not timed. */
async function attachOnce(port: number, holders: readonly Holder[]): Promise<number> {
  const options = { port, connections: CONNECTIONS, keep: true }
  const requests = holders.map((holder) => nonceRequest(port, holder))
  const { answers } = await putLoad({ ...options, requests })
  const attachments = holders.map((holder, index) => {
    const { hexEncodedNonce } = JSON.parse(answers[index]?.body ?? '{}') as {
      hexEncodedNonce: string
    }
    return attachRequest(port, holder, hexEncodedNonce)
  })
  const { counted, seconds } = await putLoad({ ...options, requests: attachments })
  return counted / seconds
}

const among = (holders: readonly Holder[], make: (holder: Holder) => string): string[] =>
  Array.from({ length: REQUESTS }, (_, index) => holders[index % holders.length]).map((holder) => {
    if (holder === undefined) throw new Error('No person has signed in')
    return make(holder)
  })

function authorized(port: number, path: string, { jwt, cookie }: SignedIn): string {
  const headers = { authorization: `Bearer ${jwt}`, cookie, ...anotherNetwork() }
  return wireRequest({ path, port, headers })
}

const nonceRequest = (port: number, holder: Holder) =>
  authorized(port, readWalletNonce.path, holder)

function attachRequest(port: number, { key, address, jwt, cookie }: Holder, nonce: string): string {
  const iat = Math.floor(Date.now() / 1000)
  const token = signJwt(key, { iss: 'provenance.io', iat, exp: iat + 3600, addr: address })
  const signature = hexOf(sign(key, bytesOfHex(nonce) ?? new Uint8Array()))
  return wireRequest({
    method: attachWallet.method,
    path: `${attachWallet.path}?signedNonceHex=${signature}&defaultWallet=true`,
    port,
    headers: {
      origin: `http://127.0.0.1:${port}`,
      authorization: `Bearer ${token}`,
      [STORED_JWT_HEADER]: `Bearer ${jwt}`,
      cookie,
      'content-length': '0',
      ...anotherNetwork(),
    },
  })
}
