/** Converts messages from the JSON format of a node's REST interface to their bytes. */

import { base64Of } from '@portico/keys/bytes'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
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

/** A message of a proposal. The bytes are missing if this client does not support the type. */
export interface ProposedMessage {
  readonly typeUrl: string
  readonly value: Uint8Array | undefined
  /** The message as the node returned it. */
  readonly json: string
}

interface Codec<Message> {
  readonly typeUrl: string
  fromJSON(json: unknown): Message
  encode(message: Message): { finish(): Uint8Array }
}

const packer = <Message>({ typeUrl, fromJSON, encode }: Codec<Message>) =>
  [typeUrl, (json: unknown) => encode(fromJSON(json)).finish()] as const

const PACKERS: ReadonlyMap<string, (json: unknown) => Uint8Array> = new Map([
  packer(MsgSend),
  packer(MsgMultiSend),
  packer(MsgCreateGroupWithPolicy),
  packer(MsgUpdateGroupMembers),
  packer(MsgUpdateGroupPolicyDecisionPolicy),
  packer(MsgLeaveGroup),
  packer(MsgSubmitProposal),
  packer(MsgVote),
  packer(MsgExec),
  packer(MsgWithdrawProposal),
  packer(ThresholdDecisionPolicy),
  packer(PercentageDecisionPolicy),
])

const DURATION = /^(\d+)(?:\.(\d{1,9}))?s$/
const DURATIONS: ReadonlySet<string> = new Set(['votingPeriod', 'minExecutionPeriod'])

export function packJsonMessage(message: Readonly<Record<string, unknown>>): ProposedMessage {
  const json = JSON.stringify(message)
  const { '@type': typeUrl } = message
  const value = packAny(message)
  return { typeUrl: typeof typeUrl === 'string' ? typeUrl : '', value, json }
}

function packAny(message: Readonly<Record<string, unknown>>): Uint8Array | undefined {
  const { '@type': typeUrl, ...fields } = message
  const pack = typeof typeUrl === 'string' ? PACKERS.get(typeUrl) : undefined
  try {
    return pack?.(toCodecJson(fields))
  } catch {
    // An unknown message inside, or an unknown field: the JSON is shown instead.
    return undefined
  }
}

/** Converts names to camel case, durations to numbers, and packs messages inside. */
function toCodecJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCodecJson)
  if (typeof value !== 'object' || value === null) return value
  if ('@type' in value && typeof value['@type'] === 'string') {
    const packed = packAny({ ...value })
    if (packed === undefined) throw new Error(`${value['@type']} is unknown`)
    return { typeUrl: value['@type'], value: base64Of(packed) }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [camel, DURATIONS.has(camel) ? toDuration(part) : toCodecJson(part)]
    }),
  )
}

function toDuration(value: unknown): unknown {
  const [, seconds, fraction = ''] = typeof value === 'string' ? (DURATION.exec(value) ?? []) : []
  if (seconds === undefined) throw new Error('not a duration')
  return { seconds, nanos: Number(fraction.padEnd(9, '0')) }
}
