import { addressOf } from '@portico/keys/address'
import { verify } from '@portico/keys/signature'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { BASE_DENOM, type Block, type ChainEvent, openAccount, transfer } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { coinsText } from './coins.ts'
import { moduleAddress } from './group-policy-address.ts'
import { baseFee, type DecodedTransaction, type Signer } from './read-transaction.ts'

/** The minimum gas price in nhash. */
const MIN_GAS_PRICE = 1905n
const MAX_GAS = 60_000_000

/**
 * Runs a node's checks before it accepts a transaction: the fee, and each signer's key, sequence and signature over
 * exactly these bytes and this chain. Deducts the fee and increments the sequences. Simulations are unsigned and free.
 *
 * @throws ChainFailure
 */
export async function admit(
  block: Block,
  transaction: DecodedTransaction,
  { chainId, isSimulation }: { readonly chainId: string; readonly isSimulation: boolean },
): Promise<readonly ChainEvent[]> {
  const { timeoutHeight } = transaction
  if (timeoutHeight !== 0n && BigInt(block.height) > timeoutHeight) {
    throw new ChainFailure(
      'timeout-height',
      `block height: ${block.height}, timeout height: ${timeoutHeight}`,
    )
  }
  if (!isSimulation) assertFee(transaction)
  for (const signer of transaction.signers) {
    await admitSigner(block, { signer, transaction, chainId, isSimulation })
  }
  const coins = transaction.fee.filter(({ amount }) => amount > 0n)
  if (coins.length === 0) return []
  return transfer(block, {
    from: transaction.feePayer,
    to: await moduleAddress('fee_collector', block.prefix),
    coins,
  })
}

function assertFee(transaction: DecodedTransaction): void {
  const { gasLimit, fee } = transaction
  if (gasLimit > MAX_GAS) {
    throw new ChainFailure('invalid-request', `gas limit ${gasLimit} exceeds ${MAX_GAS}`)
  }
  const required = BigInt(gasLimit) * MIN_GAS_PRICE
  if (baseFee(transaction) < required) {
    throw new ChainFailure(
      'insufficient-fee',
      `insufficient fees; got: ${coinsText(fee)} required: ${required}${BASE_DENOM}`,
    )
  }
}

async function admitSigner(
  block: Block,
  check: {
    readonly signer: Signer
    readonly transaction: DecodedTransaction
    readonly chainId: string
    readonly isSimulation: boolean
  },
): Promise<void> {
  const { signer, transaction, chainId, isSimulation } = check
  const { address, publicKey, sequence } = signer
  if (!keyMatches(publicKey, address, block.prefix)) {
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
  if (isSimulation) return
  const { bodyBytes, authInfoBytes } = transaction
  const accountNumber = BigInt(account.number)
  const document = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
  if (verify(publicKey, document, signer.signature)) return
  throw new ChainFailure(
    'unauthorized',
    `signature verification failed; please verify account number (${accountNumber}), sequence (${sequence}) and chain-id (${chainId})`,
  )
}

function keyMatches(publicKey: Uint8Array, address: string, prefix: string): boolean {
  try {
    return addressOf(publicKey, prefix) === address
  } catch {
    // Not a key of this curve.
    return false
  }
}
