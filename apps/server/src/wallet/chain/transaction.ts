/** Transactions of hosted wallets: put together before anybody is asked, so that what is signed is what was shown. */
import { Refusal } from '@portico/contracts/errors'
import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { Exec, MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Network } from '../../secrets/wallet-key.ts'
import type { Chain, ChainAccount } from './chain.ts'

type Asked = Extract<ApprovalRequest, { kind: 'send' }>

/** What is offered for a unit of gas where the page says nothing. */
const USUAL_GAS_PRICE = { gasPrice: 1905, gasPriceDenom: 'nhash' }
/** A transaction may need more gas than it did when it was tried. */
const GAS_ADJUSTMENT = 1.3

/** The bytes to be signed for what a page asks; the fee comes from trying it out. */
export async function prepareTransaction(
  chain: Chain,
  network: Network,
  { asked, publicKey }: { readonly asked: Asked; readonly publicKey: Uint8Array },
): Promise<Uint8Array> {
  const bodyBytes = TxBody.encode(
    TxBody.fromPartial({
      messages: messagesOf(asked),
      memo: asked.memo ?? '',
      timeoutHeight: BigInt(asked.timeoutHeight ?? 0),
      extensionOptions: (asked.extensionOptions ?? []).map(readAny),
      nonCriticalExtensionOptions: (asked.nonCriticalExtensionOptions ?? []).map(readAny),
    }),
  ).finish()
  const account = await chain.account(asked.address)
  const authInfo = (gas: number) => authInfoBytes({ asked, publicKey, account, gas })
  const tried = TxRaw.encode({
    bodyBytes,
    authInfoBytes: authInfo(0),
    signatures: [new Uint8Array(64)],
  }).finish()
  const gas = Math.ceil((await chain.simulate(tried)) * GAS_ADJUSTMENT)
  const { chainId } = network
  const { accountNumber } = account
  return SignDoc.encode({
    bodyBytes,
    authInfoBytes: authInfo(gas),
    chainId,
    accountNumber,
  }).finish()
}

/** The transaction of signed bytes. */
export function signedTransaction(signBytes: Uint8Array, signature: Uint8Array): Uint8Array {
  const { bodyBytes, authInfoBytes: authInfo } = SignDoc.decode(signBytes)
  return TxRaw.encode({ bodyBytes, authInfoBytes: authInfo, signatures: [signature] }).finish()
}

/** A group acts by a proposal of its member, carried out at once where the member's vote is enough. */
function messagesOf({ messages, address, group }: Asked): Any[] {
  const read = messages.map(readAny)
  if (group === undefined || group === null) return read
  const proposal = MsgSubmitProposal.fromPartial({
    groupPolicyAddress: group,
    proposers: [address],
    messages: read,
    exec: Exec.EXEC_TRY,
  })
  return [
    { typeUrl: MsgSubmitProposal.typeUrl, value: MsgSubmitProposal.encode(proposal).finish() },
  ]
}

function readAny(base64: string): Any {
  try {
    const message = Any.decode(Buffer.from(base64, 'base64'))
    if (/^\/[\w.]+$/.test(message.typeUrl)) return message
  } catch (cause) {
    throw new Refusal('message-unreadable', { cause })
  }
  throw new Refusal('message-unreadable')
}

function authInfoBytes(given: {
  readonly asked: Asked
  readonly publicKey: Uint8Array
  readonly account: ChainAccount
  readonly gas: number
}): Uint8Array {
  const { asked, publicKey, account, gas } = given
  const { gasPrice, gasPriceDenom } = asked.gasPrice ?? USUAL_GAS_PRICE
  const key = PubKey.encode({ key: publicKey }).finish()
  return AuthInfo.encode(
    AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: { typeUrl: PubKey.typeUrl, value: key },
          modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
          sequence: account.sequence,
        },
      ],
      fee: {
        amount: [{ denom: gasPriceDenom, amount: `${Math.ceil(gas * gasPrice)}` }],
        gasLimit: BigInt(gas),
        payer: asked.feePayer ?? '',
        granter: asked.feeGranter ?? '',
      },
    }),
  ).finish()
}
