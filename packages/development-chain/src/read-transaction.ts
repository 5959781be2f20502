import { createHash } from 'node:crypto'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { BASE_DENOM, type Message } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { type Coin, readCoins } from './coins.ts'
import { readBytes } from './read-bytes.ts'
import { readMessage } from './read-message.ts'

const MAX_MEMO = 256
const MAX_MESSAGES = 20
const GAS_PER_TRANSACTION = 60_000
const GAS_PER_BYTE = 10

/** A signer as declared by the transaction; not yet verified. */
export interface Signer {
  readonly address: string
  readonly publicKey: Uint8Array
  readonly sequence: number
  readonly signature: Uint8Array
}

/** A decoded transaction; not yet verified. */
export interface DecodedTransaction {
  readonly bytes: Uint8Array
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  /** The transaction id: SHA-256 in upper-case hex. */
  readonly hash: string
  readonly messages: readonly Message[]
  readonly signers: readonly Signer[]
  readonly fee: readonly Coin[]
  readonly feePayer: string
  readonly gasLimit: number
  /** The gas that its execution uses. */
  readonly gas: number
  readonly timeoutHeight: bigint
}

/**
 * Decodes a transaction and refuses one that can never be accepted.
 *
 * @throws ChainFailure
 */
export function readTransaction(bytes: Uint8Array): DecodedTransaction {
  const raw = readBytes(TxRaw, bytes)
  const body = readBytes(TxBody, raw.bodyBytes)
  const authInfo = readBytes(AuthInfo, raw.authInfoBytes)
  if (body.messages.length === 0 || body.messages.length > MAX_MESSAGES) {
    throw new ChainFailure('invalid-request', `${body.messages.length} messages`)
  }
  if (body.extensionOptions.length > 0) {
    throw new ChainFailure('not-supported', 'extension options')
  }
  // The Cosmos SDK counts the bytes, and calls them characters.
  const memoBytes = Buffer.byteLength(body.memo)
  if (memoBytes > MAX_MEMO) {
    throw new ChainFailure(
      'memo-too-large',
      `maximum number of characters is ${MAX_MEMO} but received ${memoBytes} characters`,
    )
  }
  const { fee } = authInfo
  if (fee !== undefined && fee.granter !== '') {
    throw new ChainFailure('not-found', 'fee-grant not found')
  }
  const messages = body.messages.map((message) => readMessage(message))
  const payer = fee?.payer ?? ''
  const required = [...new Set([...messages.flatMap(({ signers }) => signers), payer])].filter(
    Boolean,
  )
  const [first = ''] = required
  return {
    bytes,
    bodyBytes: raw.bodyBytes,
    authInfoBytes: raw.authInfoBytes,
    hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
    messages,
    signers: signersOf(required, authInfo.signerInfos, raw.signatures),
    fee: readCoins(fee?.amount ?? []),
    feePayer: payer || first,
    gasLimit: Number(fee?.gasLimit ?? 0n),
    gas: messages.reduce(
      (sum, message) => sum + message.gas,
      GAS_PER_TRANSACTION + GAS_PER_BYTE * bytes.length,
    ),
    timeoutHeight: body.timeoutHeight,
  }
}

/** The part of the fee in the base denomination. */
export function baseFee({ fee }: Pick<DecodedTransaction, 'fee'>): bigint {
  return fee.find(({ denom }) => denom === BASE_DENOM)?.amount ?? 0n
}

function signersOf(
  required: readonly string[],
  infos: readonly SignerInfo[],
  signatures: readonly Uint8Array[],
): readonly Signer[] {
  if (signatures.length === 0) throw new ChainFailure('no-signatures', 'no signatures')
  if (required.length !== infos.length || required.length !== signatures.length) {
    throw new ChainFailure(
      'unauthorized',
      `invalid number of signers; expected: ${required.length}, got ${signatures.length}`,
    )
  }
  return required.map((address, index) => {
    const { publicKey, modeInfo, sequence } = infos[index] ?? {}
    if (modeInfo?.single?.mode !== SignMode.SIGN_MODE_DIRECT) {
      throw new ChainFailure('not-supported', 'a sign mode other than SIGN_MODE_DIRECT')
    }
    if (publicKey?.typeUrl !== PubKey.typeUrl) {
      throw new ChainFailure('invalid-pubkey', 'only secp256k1 keys sign here')
    }
    return {
      address,
      publicKey: readBytes(PubKey, publicKey.value).key,
      sequence: Number(sequence ?? 0n),
      signature: signatures[index] ?? new Uint8Array(),
    }
  })
}
