/** Decodes the messages that the development chain executes. */
import { decodeAddress, isAddress } from '@portico/keys/address'
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
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Block, type ChainEvent, chainEvent, type Message } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { createGroup } from './create-group.ts'
import { executeProposal, submitProposal, vote, withdrawProposal } from './proposals.ts'
import { readBytes } from './read-bytes.ts'
import { multiSend, send } from './send.ts'
import { leaveGroup, updateDecisionPolicy, updateGroupMembers } from './update-group.ts'

const SEND_GAS = 30_000
const GROUP_GAS = 90_000
const PROPOSAL_GAS = 60_000
const VOTE_GAS = 40_000
/** The maximum nesting of proposals. */
const MAX_LEVEL = 3

interface Codec<Decoded> {
  readonly typeUrl: string
  decode(bytes: Uint8Array): Decoded
}

interface MessageKind<Decoded> {
  readonly signers: (decoded: Decoded) => readonly string[]
  /** The addresses that must be valid. */
  readonly addresses?: (decoded: Decoded) => readonly string[]
  readonly gas: (decoded: Decoded, level: number) => number
  readonly run: (block: Block, decoded: Decoded) => Promise<readonly ChainEvent[]>
}

type Reader = (bytes: Uint8Array, level: number) => Message

function kind<Decoded>(
  codec: Codec<Decoded>,
  { signers: signersOf, addresses, gas, run }: MessageKind<Decoded>,
): readonly [string, Reader] {
  const { typeUrl } = codec
  return [
    typeUrl,
    (bytes, level) => {
      const decoded = readBytes(codec, bytes)
      const signers = signersOf(decoded)
      return {
        signers,
        gas: gas(decoded, level),
        async run(block) {
          for (const address of [...signers, ...(addresses?.(decoded) ?? [])]) {
            assertAddress(block, address)
          }
          const event = chainEvent('message', {
            action: typeUrl,
            sender: signers.join(','),
            module: typeUrl.split('.')[1] ?? '',
          })
          return [event, ...(await run(block, decoded))]
        },
      }
    },
  ]
}

const READERS: ReadonlyMap<string, Reader> = new Map([
  kind(MsgSend, {
    signers: ({ fromAddress }) => [fromAddress],
    addresses: ({ toAddress }) => [toAddress],
    gas: () => SEND_GAS,
    run: send,
  }),
  kind(MsgMultiSend, {
    signers: ({ inputs }) => [...new Set(inputs.map(({ address }) => address))],
    addresses: ({ outputs }) => outputs.map(({ address }) => address),
    gas: ({ outputs }) => SEND_GAS * Math.max(outputs.length, 1),
    run: multiSend,
  }),
  kind(MsgCreateGroupWithPolicy, {
    signers: ({ admin }) => [admin],
    addresses: ({ members }) => members.map(({ address }) => address),
    gas: () => GROUP_GAS,
    run: createGroup,
  }),
  kind(MsgUpdateGroupMembers, {
    signers: ({ admin }) => [admin],
    addresses: ({ memberUpdates }) => memberUpdates.map(({ address }) => address),
    gas: () => GROUP_GAS,
    run: updateGroupMembers,
  }),
  kind(MsgUpdateGroupPolicyDecisionPolicy, {
    signers: ({ admin }) => [admin],
    gas: () => GROUP_GAS,
    run: updateDecisionPolicy,
  }),
  kind(MsgLeaveGroup, {
    signers: ({ address }) => [address],
    gas: () => VOTE_GAS,
    run: leaveGroup,
  }),
  kind(MsgSubmitProposal, {
    signers: ({ proposers }) => proposers,
    gas: ({ messages }, level) =>
      messages.reduce((sum, message) => sum + readMessage(message, level + 1).gas, PROPOSAL_GAS),
    run: (block, decoded) => submitProposal(block, decoded, readMessage),
  }),
  kind(MsgVote, {
    signers: ({ voter }) => [voter],
    gas: () => VOTE_GAS,
    run: (block, decoded) => vote(block, decoded, readMessage),
  }),
  kind(MsgExec, {
    signers: ({ executor }) => [executor],
    gas: () => VOTE_GAS,
    run: (block, decoded) => executeProposal(block, decoded, readMessage),
  }),
  kind(MsgWithdrawProposal, {
    signers: ({ address }) => [address],
    gas: () => VOTE_GAS,
    run: withdrawProposal,
  }),
])

/** @throws ChainFailure - `tx-parse` for an unknown type or invalid bytes */
export function readMessage({ typeUrl, value }: Any, level = 0): Message {
  const reader = READERS.get(typeUrl)
  if (reader === undefined || level > MAX_LEVEL) {
    throw new ChainFailure('tx-parse', `unable to resolve type URL ${typeUrl}`)
  }
  return reader(value, level)
}

/** @throws ChainFailure - `invalid-address` */
function assertAddress({ prefix }: Block, address: string): void {
  if (isAddress(address) && decodeAddress(address)?.prefix === prefix) return
  throw new ChainFailure('invalid-address', address || 'empty address string is not allowed')
}
