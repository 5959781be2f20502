/**
 * The bytes that a wallet signs for a page's request, and the account that a connected page receives. Shared by all wallets.
 */
import { Refusal } from '@portico/contracts/errors'
import type { ApprovalRequest, ApprovalResult } from '@portico/contracts/hosted-wallet'
import { bytesOfBase64, bytesOfHex, utf8TextOf } from '@portico/keys/bytes'
import { completeJwt, unsignedJwt } from '@portico/keys/jwt'
import { NETWORKS } from '@portico/keys/networks'
import { isTransactionToSign } from '@portico/keys/transaction-bytes'
import type { Chain } from './chain.ts'
import { prepareTransaction } from './transaction.ts'

/** The default lifetime of a page's connection token (protocol 11). */
const CONNECTION_TOKEN_S = 86_400

interface Signer {
  readonly chain: Chain
  readonly network: { readonly chainId: string }
  /** Compressed, in standard base64. */
  readonly publicKey: string
  /** The issuer of the wallet's tokens: the provider's domain (§3). */
  readonly issuer: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** @throws Refusal - `message-is-transaction`, `message-unreadable`, or the chain's */
export async function bytesToSign(
  request: ApprovalRequest,
  { chain, network, publicKey, issuer, at }: Signer,
): Promise<Uint8Array> {
  switch (request.kind) {
    case 'connect':
    case 'switch-group': {
      const iat = Math.floor(at / 1000)
      const token = unsignedJwt({
        sub: publicKey,
        iss: issuer,
        iat,
        exp: iat + (request.jwtExpirationS ?? CONNECTION_TOKEN_S),
        addr: request.address,
        ...(request.group == null ? {} : { grp: request.group }),
      })
      return new TextEncoder().encode(token)
    }
    case 'sign':
    case 'sign-jwt': {
      const bytes = bytesOfHex(request.messageHex) ?? new Uint8Array()
      if (isTransactionToSign(bytes)) throw new Refusal('message-is-transaction')
      return bytes
    }
    case 'send':
      return prepareTransaction(chain, network, {
        request,
        publicKey: bytesOfBase64(publicKey) ?? new Uint8Array(),
      })
  }
}

type ConnectedAccount = Extract<ApprovalResult, { kind: 'connect' }>['account']

/** The account as a page receives it (protocol 7), with its signed token. */
export function connectedAccount({
  account: { address, name, publicKey },
  group,
  network,
  signed: { bytes, signature },
}: {
  readonly account: { readonly address: string; readonly name: string; readonly publicKey: string }
  readonly group: { readonly address: string; readonly name: string } | undefined
  readonly network: { readonly prefix: string }
  readonly signed: { readonly bytes: Uint8Array; readonly signature: Uint8Array }
}): ConnectedAccount {
  return {
    address,
    publicKey,
    jwt: completeJwt(utf8TextOf(bytes) ?? '', signature),
    walletInfo: {
      id: address,
      name,
      coin: network.prefix === NETWORKS.mainnet.prefix ? 'mainNet' : 'testNet',
    },
    attributes: [],
    representedGroupPolicy: group
      ? { address: group.address, metadata: { name: group.name } }
      : null,
  }
}
