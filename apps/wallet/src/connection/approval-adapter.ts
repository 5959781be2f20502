/**
 * The person as the connection sees them: what the library asks becomes a question with the very request that the keeper
 * is asked, and what the keeper gave for it is handed to the library, once.
 */
import type { ApprovalRequest, ApprovalResult } from '@portico/contracts/hosted-wallet'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { anyBase64, type TransactionRequest } from '@portico/wallet-connect/protocol'
import type { Acting, HeldAccount, WalletOptions } from '@portico/wallet-connect/wallet'
import * as z from 'zod/mini'
import type { ActingAs, ActRequest, ConnectRequest } from '../approval-request.ts'
import type { KeeperAccount } from '../key-keeper.ts'
import { collected } from './collected.ts'
import { connectChoices, tokenLifetimeS } from './connect-choices.ts'

/** Puts a question before the person; gives what the keeper gave, or nothing where it was turned down or withdrawn. */
export type Put = (
  question: Omit<ConnectRequest, 'id' | 'waiting'> | Omit<ActRequest, 'id' | 'waiting'>,
  signal: AbortSignal,
) => Promise<ApprovalResult | undefined>

/** What of the library's options the person and the keeper decide. */
export interface Desk extends Pick<WalletOptions, 'person' | 'broadcast' | 'accounts'> {
  readonly accountsOf: NonNullable<WalletOptions['accountsOf']>
}

/** What pages read of a chain's answer (protocol 9.3); the rest of it goes along. */
const TxResponse = z.looseObject({
  txhash: z._default(z.string(), ''),
  code: z._default(z.number(), 0),
  rawLog: z._default(z.string(), ''),
})

/** What a transaction's result is collected under: a session brings one at a time to the chain. */
const TRANSACTION = 'transaction'

/** Sets up the desk. */
export function approvalAdapter(deps: {
  readonly accounts: readonly KeeperAccount[]
  readonly origin: string | undefined
  readonly put: Put
}): Desk {
  const { accounts, origin, put } = deps
  const results = collected()

  const held = accounts.map(
    ({ address, name, publicKey }): HeldAccount => ({
      address,
      publicKey: bytesOfBase64(publicKey) ?? new Uint8Array(),
      walletInfo: { id: address, name },
      sign: (message) =>
        bytesOfHex(results.take(hexOf(message), ['sign', 'sign-jwt']).signature) ??
        new Uint8Array(),
    }),
  )

  /** Who asks, in the keeper's words. */
  const by = ({ account, group }: Acting) => ({
    address: account.address,
    group: group?.address ?? null,
  })

  async function act(
    acting: Acting,
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<ApprovalResult | undefined> {
    return put({ kind: 'act', origin, acting: actingAs(acting, accounts), request }, signal)
  }

  return {
    accounts: held,

    person: {
      async connect({ wishes }, signal) {
        const choices = connectChoices(accounts, wishes)
        const lifetimeS = tokenLifetimeS(wishes)
        const result = await put({ kind: 'connect', origin, choices, lifetimeS }, signal)
        if (result?.kind !== 'connect') return undefined
        const { address, representedGroupPolicy: group } = result.account
        const account = held.find((each) => each.address === address)
        if (account === undefined) return undefined
        results.put(actorOf({ account, group }), result)
        return { account, group }
      },

      async sign({ acting, asked, token }, signal) {
        const messageHex = hexOf(asked.bytes)
        const kind = token === undefined ? 'sign' : 'sign-jwt'
        const result = await act(acting, { kind, ...by(acting), messageHex }, signal)
        if (result !== undefined) results.put(messageHex, result)
        return result !== undefined
      },

      async sendTransaction({ acting, asked }, signal) {
        const result = await act(acting, { ...transaction(asked), ...by(acting) }, signal)
        if (result !== undefined) results.put(TRANSACTION, result)
        return result !== undefined
      },

      async switchToGroup({ acting, asked }, signal) {
        const group = asked.groupAddress ?? null
        const request: ApprovalRequest = { kind: 'switch-group', ...by(acting), group }
        const result = await act(acting, request, signal)
        if (result?.kind !== 'switch-group') return undefined
        const { representedGroupPolicy } = result.account
        results.put(actorOf({ ...acting, group: representedGroupPolicy }), result)
        return representedGroupPolicy
      },
    },

    async broadcast() {
      const { txResponse } = results.take(TRANSACTION, ['send'])
      return TxResponse.parse(txResponse)
    },

    accountsOf: async (acting) => [
      results.take(actorOf(acting), ['connect', 'switch-group']).account,
    ],
  }
}

const actorOf = ({ account, group }: Acting) => `${account.address} ${group?.address ?? ''}`

function actingAs({ account, group }: Acting, accounts: readonly KeeperAccount[]): ActingAs {
  const known = accounts.find(({ address }) => address === account.address)
  const name = known?.name ?? ''
  if (group === null) return { account: { name, address: account.address }, group: null }
  const groupName = known?.groups.find(({ address }) => address === group.address)?.name ?? ''
  return {
    account: { name, address: account.address },
    group: { name: groupName, address: group.address },
  }
}

function transaction(asked: TransactionRequest) {
  const { messages, gasPrice, feeGranter, feePayer, memo, timeoutHeight } = asked
  return {
    kind: 'send' as const,
    messages: messages.map(anyBase64),
    gasPrice,
    feeGranter,
    feePayer,
    memo,
    timeoutHeight,
    extensionOptions: [...asked.extensionOptions],
    nonCriticalExtensionOptions: [...asked.nonCriticalExtensionOptions],
  }
}
