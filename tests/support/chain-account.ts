import { randomBytes } from 'node:crypto'
import { addressOf } from '@portico/keys/address'
import { publicKeyOf, sign } from '@portico/keys/signature'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import {
  Exec,
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgSubmitProposal,
  MsgVote,
} from 'cosmjs-types/cosmos/group/v1/tx'
import { ThresholdDecisionPolicy, VoteOption } from 'cosmjs-types/cosmos/group/v1/types'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'

interface TxResponse {
  readonly height: string
  readonly txhash: string
  readonly code: number
  readonly codespace: string
  readonly raw_log: string
  readonly gas_used: string
  readonly events: readonly {
    readonly type: string
    readonly attributes: readonly { readonly key: string; readonly value: string }[]
  }[]
}

/** Deviations from a correct transaction. */
interface Deviations {
  readonly sequence?: number
  readonly accountNumber?: number
  readonly chainId?: string
  readonly fee?: string
  readonly gas?: number
  readonly memo?: string
  readonly timeoutHeight?: number
  readonly granter?: string
  /** Signs instead of the account's key. */
  readonly signedBy?: Uint8Array
  /** Replaces the account's key in the transaction. */
  readonly publicKey?: Uint8Array
}

const GAS_PRICE = 1905

/** A chain account with a key that the test holds; uses a node's REST API. */
export function aChainAccount(url: string, privateKey: Uint8Array = randomBytes(32)) {
  const publicKey = publicKeyOf(privateKey)
  const address = addressOf(publicKey, 'tp')

  async function build(messages: readonly Any[], deviations: Deviations = {}): Promise<Uint8Array> {
    const known = deviations.sequence === undefined ? await onChain(url, address) : undefined
    const sequence = BigInt(deviations.sequence ?? known?.sequence ?? 0)
    const accountNumber = BigInt(
      deviations.accountNumber ?? (known ?? (await onChain(url, address))).accountNumber,
    )
    const gas = deviations.gas ?? 400_000
    const bodyBytes = TxBody.encode(
      TxBody.fromPartial({
        messages: [...messages],
        memo: deviations.memo ?? '',
        timeoutHeight: BigInt(deviations.timeoutHeight ?? 0),
      }),
    ).finish()
    const key = PubKey.encode({ key: deviations.publicKey ?? publicKey }).finish()
    const authInfoBytes = AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [
          {
            publicKey: { typeUrl: PubKey.typeUrl, value: key },
            modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
            sequence,
          },
        ],
        fee: {
          amount: [{ denom: 'nhash', amount: deviations.fee ?? `${gas * GAS_PRICE}` }],
          gasLimit: BigInt(gas),
          granter: deviations.granter ?? '',
        },
      }),
    ).finish()
    const chainId = deviations.chainId ?? 'pio-testnet-1'
    const document = SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
    const signatures = [sign(deviations.signedBy ?? privateKey, document)]
    return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
  }

  return {
    address,
    privateKey,
    publicKey,
    build,
    send: async (messages: readonly Any[], deviations?: Deviations) =>
      broadcast(url, await build(messages, deviations)),
    payment: (to: string, amount: string, denom = 'nhash', from: string = address): Any =>
      packed(MsgSend, { fromAddress: from, toAddress: to, amount: [{ denom, amount }] }),
    /** The message that creates a group, by default of this account alone. */
    groupCreation: (metadata = '', { others = [] as readonly string[], threshold = 1 } = {}): Any =>
      packed(MsgCreateGroupWithPolicy, {
        admin: address,
        members: [address, ...others].map((member) => ({
          address: member,
          weight: '1',
          metadata: '',
        })),
        groupMetadata: metadata,
        groupPolicyMetadata: '',
        groupPolicyAsAdmin: true,
        decisionPolicy: packed(
          ThresholdDecisionPolicy,
          ThresholdDecisionPolicy.fromPartial({
            threshold: `${threshold}`,
            windows: { votingPeriod: { seconds: 172_800n }, minExecutionPeriod: { seconds: 0n } },
          }),
        ),
      }),
    vote: (proposalId: number): Any =>
      packed(
        MsgVote,
        MsgVote.fromPartial({
          proposalId: BigInt(proposalId),
          voter: address,
          option: VoteOption.VOTE_OPTION_YES,
          exec: Exec.EXEC_TRY,
        }),
      ),
    execution: (proposalId: number): Any =>
      packed(MsgExec, { proposalId: BigInt(proposalId), executor: address }),
    proposal: (groupPolicyAddress: string, messages: readonly Any[]): Any =>
      packed(
        MsgSubmitProposal,
        MsgSubmitProposal.fromPartial({
          groupPolicyAddress,
          proposers: [address],
          messages: [...messages],
          exec: Exec.EXEC_TRY,
        }),
      ),
  }
}

export async function askNode(url: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`)
  return (await response.json()) as Record<string, unknown>
}

/** Broadcasts a transaction; if the node accepts it, returns the result from its block. */
export async function broadcast(url: string, bytes: Uint8Array): Promise<TxResponse> {
  const response = await fetch(`${url}/cosmos/tx/v1beta1/txs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      tx_bytes: Buffer.from(bytes).toString('base64'),
      mode: 'BROADCAST_MODE_SYNC',
    }),
  })
  const { tx_response: accepted } = (await response.json()) as { tx_response: TxResponse }
  if (accepted.code !== 0) return accepted
  const found = await askNode(url, `/cosmos/tx/v1beta1/txs/${accepted.txhash}`)
  return found['tx_response'] as TxResponse
}

/** An address's balance in the base denomination. */
export async function balanceOf(url: string, address: string): Promise<number> {
  const path = `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=nhash`
  const { balance } = (await askNode(url, path)) as { balance: { amount: string } }
  return Number(balance.amount)
}

async function onChain(url: string, address: string) {
  const { account } = (await askNode(url, `/cosmos/auth/v1beta1/accounts/${address}`)) as {
    account: { account_number: string; sequence: string }
  }
  return { accountNumber: Number(account.account_number), sequence: Number(account.sequence) }
}

function packed<Message>(
  codec: { readonly typeUrl: string; encode(message: Message): { finish(): Uint8Array } },
  message: Message,
): Any {
  return { typeUrl: codec.typeUrl, value: codec.encode(message).finish() }
}
