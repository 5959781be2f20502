import { addressOf } from '@portico/keys/address'
import { verify } from '@portico/keys/signature'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { BASE_DENOM, type Block, type ChainEvent, openAccount, transfer } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { coinsText } from './coins.ts'
import { moduleAddress } from './group-policy-address.ts'
import { baseFee, type ReadTransaction, type Signer } from './read-transaction.ts'

/** What a unit of gas costs at least. */
const GAS_PRICE_MINIMUM = 1905n
const GAS_MAXIMUM = 60_000_000

/**
 * What a node checks before it takes a transaction: the fee, each signer's key, sequence and signature over the very
 * bytes and this chain. The fee is taken and the sequences are used up. A trial is signed by nobody and pays nothing.
 *
 * @throws ChainFailure
 */
export async function admit(
  block: Block,
  transaction: ReadTransaction,
  { chainId, trial }: { readonly chainId: string; readonly trial: boolean },
): Promise<readonly ChainEvent[]> {
  const { timeoutHeight } = transaction
  if (timeoutHeight !== 0n && BigInt(block.height) > timeoutHeight) {
    throw new ChainFailure(
      'timeout-height',
      `block height: ${block.height}, timeout height: ${timeoutHeight}`,
    )
  }
  if (!trial) assertFee(transaction)
  for (const signer of transaction.signers) {
    await admitSigner(block, { signer, transaction, chainId, trial })
  }
  const coins = transaction.fee.filter(({ amount }) => amount > 0n)
  if (coins.length === 0) return []
  return transfer(block, {
    from: transaction.feePayer,
    to: await moduleAddress('fee_collector', block.prefix),
    coins,
  })
}

function assertFee(transaction: ReadTransaction): void {
  const { gasLimit, fee } = transaction
  if (gasLimit > GAS_MAXIMUM) {
    throw new ChainFailure('invalid-request', `gas limit ${gasLimit} exceeds ${GAS_MAXIMUM}`)
  }
  const required = BigInt(gasLimit) * GAS_PRICE_MINIMUM
  if (baseFee(transaction) < required) {
    throw new ChainFailure(
      'insufficient-fee',
      `insufficient fees; got: ${coinsText(fee)} required: ${required}${BASE_DENOM}`,
    )
  }
}

async function admitSigner(
  block: Block,
  given: {
    readonly signer: Signer
    readonly transaction: ReadTransaction
    readonly chainId: string
    readonly trial: boolean
  },
): Promise<void> {
  const { signer, transaction, chainId, trial } = given
  const { address, publicKey, sequence } = signer
  if (!keyGives(publicKey, address, block.prefix)) {
    throw new ChainFailure(
      'invalid-pubkey',
      `pubKey does not match signer address ${address} with signer index: ${transaction.signers.indexOf(signer)}`,
    )
  }
  const account = await openAccount(block, address)
  const used =
    account.sequence === sequence &&
    (await block.chain.useSequence({
      address,
      sequence,
      publicKey: Buffer.from(publicKey).toString('base64'),
    }))
  if (!used) {
    throw new ChainFailure(
      'wrong-sequence',
      `account sequence mismatch, expected ${account.sequence}, got ${sequence}`,
    )
  }
  if (trial) return
  const { bodyBytes, authInfoBytes } = transaction
  const accountNumber = BigInt(account.number)
  const document = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
  if (verify(publicKey, document, signer.signature)) return
  throw new ChainFailure(
    'unauthorized',
    `signature verification failed; please verify account number (${accountNumber}), sequence (${sequence}) and chain-id (${chainId})`,
  )
}

function keyGives(publicKey: Uint8Array, address: string, prefix: string): boolean {
  try {
    return addressOf(publicKey, prefix) === address
  } catch {
    // No key of this curve.
    return false
  }
}
