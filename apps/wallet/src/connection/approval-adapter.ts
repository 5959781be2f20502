/**
 * Implements the library's approver: each of its requests becomes a prompt with the request for the key store, and the
 * key store's result is passed to the library, once.
 */
import type { ApprovalRequest, ApprovalResult } from '@portico/contracts/hosted-wallet'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { anyBase64, type TransactionRequest } from '@portico/wallet-connect/protocol'
import type { ActiveAccount, SigningAccount, WalletOptions } from '@portico/wallet-connect/wallet'
import * as z from 'zod/mini'
import type { ActingAs, ActRequest, ConnectRequest } from '../approval-prompt.ts'
import type { KeyStoreAccount } from '../key-store.ts'
import { approvalResults } from './approval-results.ts'
import { connectChoices, tokenLifetimeS } from './connect-choices.ts'

/** Prompts the user; returns the key store's result, or undefined if the request was declined or withdrawn. */
export type PromptUser = (
  prompt: Omit<ConnectRequest, 'id' | 'waiting'> | Omit<ActRequest, 'id' | 'waiting'>,
  signal: AbortSignal,
) => Promise<ApprovalResult | undefined>

/** The library options that the adapter implements. */
export interface ApprovalAdapter
  extends Pick<WalletOptions, 'approver' | 'broadcast' | 'accounts'> {
  readonly accountsOf: NonNullable<WalletOptions['accountsOf']>
}

/** The fields of a chain's response that pages read (protocol 9.3); other fields are passed through. */
const TxResponse = z.looseObject({
  txhash: z._default(z.string(), ''),
  code: z._default(z.number(), 0),
  rawLog: z._default(z.string(), ''),
})

/** The key of a transaction's result: a session broadcasts one transaction at a time. */
const TRANSACTION = 'transaction'

export function approvalAdapter(deps: {
  readonly accounts: readonly KeyStoreAccount[]
  readonly origin: string | undefined
  readonly promptUser: PromptUser
}): ApprovalAdapter {
  const { accounts, origin, promptUser } = deps
  const results = approvalResults()

  const signingAccounts = accounts.map(
    ({ address, name, publicKey }): SigningAccount => ({
      address,
      publicKey: bytesOfBase64(publicKey) ?? new Uint8Array(),
      walletInfo: { id: address, name },
      sign: (message) =>
        bytesOfHex(results.consume(hexOf(message), ['sign', 'sign-jwt']).signature) ??
        new Uint8Array(),
    }),
  )

  /** The active account in the format of the key store. */
  const accountOf = ({ account, group }: ActiveAccount) => ({
    address: account.address,
    group: group?.address ?? null,
  })

  async function act(
    acting: ActiveAccount,
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<ApprovalResult | undefined> {
    return promptUser({ kind: 'act', origin, acting: actingAs(acting, accounts), request }, signal)
  }

  return {
    accounts: signingAccounts,

    approver: {
      async connect({ wishes }, signal) {
        const choices = connectChoices(accounts, wishes)
        const lifetimeS = tokenLifetimeS(wishes)
        const result = await promptUser({ kind: 'connect', origin, choices, lifetimeS }, signal)
        if (result?.kind !== 'connect') return undefined
        const { address, representedGroupPolicy: group } = result.account
        const account = signingAccounts.find((each) => each.address === address)
        if (account === undefined) return undefined
        results.store(resultKey({ account, group }), result)
        return { account, group }
      },

      async sign({ acting, request, token }, signal) {
        const messageHex = hexOf(request.bytes)
        const kind = token === undefined ? 'sign' : 'sign-jwt'
        const result = await act(acting, { kind, ...accountOf(acting), messageHex }, signal)
        if (result !== undefined) results.store(messageHex, result)
        return result !== undefined
      },

      async sendTransaction({ acting, request }, signal) {
        const result = await act(acting, { ...sendRequest(request), ...accountOf(acting) }, signal)
        if (result !== undefined) results.store(TRANSACTION, result)
        return result !== undefined
      },

      async switchToGroup({ acting, request: { groupAddress } }, signal) {
        const group = groupAddress ?? null
        const request: ApprovalRequest = { kind: 'switch-group', ...accountOf(acting), group }
        const result = await act(acting, request, signal)
        if (result?.kind !== 'switch-group') return undefined
        const { representedGroupPolicy } = result.account
        results.store(resultKey({ ...acting, group: representedGroupPolicy }), result)
        return representedGroupPolicy
      },
    },

    async broadcast() {
      const { txResponse } = results.consume(TRANSACTION, ['send'])
      return TxResponse.parse(txResponse)
    },

    accountsOf: async (acting) => [
      results.consume(resultKey(acting), ['connect', 'switch-group']).account,
    ],
  }
}

const resultKey = ({ account, group }: ActiveAccount) =>
  `${account.address} ${group?.address ?? ''}`

function actingAs(
  { account, group }: ActiveAccount,
  accounts: readonly KeyStoreAccount[],
): ActingAs {
  const known = accounts.find(({ address }) => address === account.address)
  const name = known?.name ?? ''
  if (group === null) return { account: { name, address: account.address }, group: null }
  const groupName = known?.groups.find(({ address }) => address === group.address)?.name ?? ''
  return {
    account: { name, address: account.address },
    group: { name: groupName, address: group.address },
  }
}

function sendRequest(request: TransactionRequest) {
  const { messages, gasPrice, feeGranter, feePayer, memo, timeoutHeight } = request
  return {
    kind: 'send' as const,
    messages: messages.map(anyBase64),
    gasPrice,
    feeGranter,
    feePayer,
    memo,
    timeoutHeight,
    extensionOptions: [...request.extensionOptions],
    nonCriticalExtensionOptions: [...request.nonCriticalExtensionOptions],
  }
}
