/** Converts a transaction to the JSON format of the REST interface. */
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import {
  MsgCreateGroupWithPolicy,
  MsgExec,
  MsgLeaveGroup,
  MsgSubmitProposal,
  MsgUpdateGroupMembers,
  MsgUpdateGroupPolicyDecisionPolicy,
  MsgVote,
  MsgWithdrawProposal,
} from 'cosmjs-types/cosmos/group/v1/tx'
import {
  PercentageDecisionPolicy,
  ThresholdDecisionPolicy,
} from 'cosmjs-types/cosmos/group/v1/types'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'

interface Codec<Decoded> {
  readonly typeUrl: string
  decode(bytes: Uint8Array): Decoded
  toJSON(decoded: Decoded): unknown
}

const reader = <Decoded>({ typeUrl, decode, toJSON }: Codec<Decoded>) =>
  [typeUrl, (bytes: Uint8Array) => toJSON(decode(bytes))] as const

const READERS: ReadonlyMap<string, (bytes: Uint8Array) => unknown> = new Map([
  reader(MsgSend),
  reader(MsgMultiSend),
  reader(MsgCreateGroupWithPolicy),
  reader(MsgUpdateGroupMembers),
  reader(MsgUpdateGroupPolicyDecisionPolicy),
  reader(MsgLeaveGroup),
  reader(MsgSubmitProposal),
  reader(MsgVote),
  reader(MsgExec),
  reader(MsgWithdrawProposal),
  reader(ThresholdDecisionPolicy),
  reader(PercentageDecisionPolicy),
  reader(PubKey),
])

export function transactionJson(bytes: Uint8Array): Record<string, unknown> {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
  return {
    body: toRestJson(TxBody.toJSON(TxBody.decode(bodyBytes))),
    auth_info: toRestJson(AuthInfo.toJSON(AuthInfo.decode(authInfoBytes))),
    signatures: signatures.map((signature) => Buffer.from(signature).toString('base64')),
  }
}

/** A message in the JSON format of the REST interface. */
export function messageJson({ typeUrl, value }: Any): unknown {
  return decodeAny({ typeUrl, value: Buffer.from(value).toString('base64') })
}

/** Durations are strings such as `90s`. */
const DURATIONS: ReadonlySet<string> = new Set(['votingPeriod', 'minExecutionPeriod'])

/** Converts names to snake case and decodes packed messages, with their type. */
function toRestJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRestJson)
  if (typeof value !== 'object' || value === null) return value
  if (isAny(value)) return decodeAny(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      DURATIONS.has(name) ? `${(part as { seconds: string }).seconds}s` : toRestJson(part),
    ]),
  )
}

type AnyJson = { readonly typeUrl: Any['typeUrl']; readonly value: string }

function isAny(value: object): value is AnyJson {
  return 'typeUrl' in value && typeof value.typeUrl === 'string' && 'value' in value
}

function decodeAny({ typeUrl, value }: AnyJson): unknown {
  const read = READERS.get(typeUrl)
  if (read === undefined) return { '@type': typeUrl, value }
  return Object.assign({ '@type': typeUrl }, toRestJson(read(Buffer.from(value, 'base64'))))
}
