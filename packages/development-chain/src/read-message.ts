/** Decodes the messages that the development chain executes. */
import { decodeAddress, isAddress } from '@portico/keys/address'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgCreateGroupWithPolicy, MsgSubmitProposal } from 'cosmjs-types/cosmos/group/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { type Block, chainEvent, type Message, openAccount, transfer } from './block.ts'
import { ChainFailure } from './chain-failure.ts'
import { readCoins } from './coins.ts'
import { createGroup } from './create-group.ts'
import { propose } from './propose.ts'
import { readBytes } from './read-bytes.ts'

const SEND_GAS = 30_000
const GROUP_GAS = 90_000
const PROPOSAL_GAS = 60_000
/** The maximum nesting of proposals. */
const LEVEL_MAXIMUM = 3

/** @throws ChainFailure - `tx-parse` for an unknown type or invalid bytes */
export function readMessage({ typeUrl, value }: Any, level = 0): Message {
  const reader = READERS.get(typeUrl)
  if (reader === undefined || level > LEVEL_MAXIMUM) {
    throw new ChainFailure('tx-parse', `unable to resolve type URL ${typeUrl}`)
  }
  return reader(value, level)
}

function send(bytes: Uint8Array): Message {
  const { fromAddress: from, toAddress: to, amount } = readBytes(MsgSend, bytes)
  return {
    signers: [from],
    gas: SEND_GAS,
    async run(block) {
      assertAddress(block, from)
      assertAddress(block, to)
      const coins = readCoins(amount)
      if (coins.length === 0 || coins.some((coin) => coin.amount === 0n)) {
        throw new ChainFailure('invalid-coins', 'amounts must be positive')
      }
      await openAccount(block, to)
      return [messageEvent(MsgSend.typeUrl, from), ...(await transfer(block, { from, to, coins }))]
    },
  }
}

function group(bytes: Uint8Array): Message {
  const decoded = readBytes(MsgCreateGroupWithPolicy, bytes)
  return {
    signers: [decoded.admin],
    gas: GROUP_GAS,
    async run(block) {
      for (const { address } of [{ address: decoded.admin }, ...decoded.members]) {
        assertAddress(block, address)
      }
      return [
        messageEvent(MsgCreateGroupWithPolicy.typeUrl, decoded.admin),
        ...(await createGroup(block, decoded)),
      ]
    },
  }
}

function proposal(bytes: Uint8Array, level: number): Message {
  const decoded = readBytes(MsgSubmitProposal, bytes)
  const messages = decoded.messages.map((message) => readMessage(message, level + 1))
  return {
    signers: decoded.proposers,
    gas: messages.reduce((sum, { gas }) => sum + gas, PROPOSAL_GAS),
    run: async (block, index) => [
      messageEvent(MsgSubmitProposal.typeUrl, decoded.proposers.join(',')),
      ...(await propose(block, { proposal: decoded, messages, index })),
    ],
  }
}

const READERS: ReadonlyMap<string, (bytes: Uint8Array, level: number) => Message> = new Map([
  [MsgSend.typeUrl, send],
  [MsgCreateGroupWithPolicy.typeUrl, group],
  [MsgSubmitProposal.typeUrl, proposal],
])

const messageEvent = (action: string, sender: string) =>
  chainEvent('message', { action, sender, module: action.split('.')[1] ?? '' })

/** @throws ChainFailure - `invalid-address` */
function assertAddress({ prefix }: Block, address: string): void {
  if (isAddress(address) && decodeAddress(address)?.prefix === prefix) return
  throw new ChainFailure('invalid-address', address || 'empty address string is not allowed')
}
