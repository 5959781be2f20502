/** Answers a page's requests with the user's approval: each becomes one prompt with one request to the key keeper. */

import type { ApprovalRequest, ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { bytesOfBase64, bytesOfHex, hexOf } from '@portico/keys/bytes'
import { ownNamed } from '@portico/wallet-connect/own-names'
import {
  anyBase64,
  type ConnectOptions,
  type TransactionRequest,
} from '@portico/wallet-connect/protocol'
import type {
  Account,
  ActiveAccount,
  ApprovedAccount,
  Approver,
  Prompt,
} from '@portico/wallet-connect/wallet'
import * as z from 'zod/mini'
import type { ActingAs, Choice } from '../approval-prompt.ts'
import type { WalletAccount } from '../key-keeper.ts'
import type { PromptUser } from './user-prompts.ts'

/** The fields of a chain's response that pages read (protocol 9.3); other fields are passed through. */
const TxResponse = z.looseObject({
  txhash: z._default(z.string(), ''),
  code: z._default(z.number(), 0),
  rawLog: z._default(z.string(), ''),
})

/** The accounts that pages may connect to. */
export function walletAccounts(accounts: readonly WalletAccount[]): readonly Account[] {
  return accounts.map(({ address, name, publicKey }) => ({
    address,
    publicKey: bytesOfBase64(publicKey) ?? new Uint8Array(),
    walletInfo: { id: address, name },
  }))
}

export function approver({
  accounts,
  origin,
  promptUser,
}: {
  readonly accounts: readonly WalletAccount[]
  readonly origin: string | undefined
  readonly promptUser: PromptUser
}): Approver {
  const act = (acting: ActiveAccount, request: ApprovalRequest, prompt: Prompt) =>
    promptUser({ kind: 'act', origin, acting: actingAs(acting, accounts), request }, prompt)

  return {
    async connect({ connectOptions }, prompt) {
      const choices = connectChoices(accounts, connectOptions)
      const lifetimeS = tokenLifetimeS(connectOptions)
      return accountIn(await promptUser({ kind: 'connect', origin, choices, lifetimeS }, prompt))
    },

    async sign({ acting, request: { bytes }, token }, prompt) {
      const kind = token === undefined ? 'sign' : 'sign-jwt'
      const request = { kind, ...addressesOf(acting), messageHex: hexOf(bytes) } as const
      const result = await act(acting, request, prompt)
      const signature = 'signature' in result ? bytesOfHex(result.signature) : undefined
      return signature ?? unexpected(result)
    },

    async sendTransaction({ acting, request }, prompt) {
      const sendRequest = { ...sendRequestOf(request), ...addressesOf(acting) }
      const result = await act(acting, sendRequest, prompt)
      return result.kind === 'send' ? TxResponse.parse(result.txResponse) : unexpected(result)
    },

    async switchToGroup({ acting, request: { groupAddress: group = null } }, prompt) {
      const request: ApprovalRequest = { kind: 'switch-group', ...addressesOf(acting), group }
      return accountIn(await act(acting, request, prompt))
    },
  }
}

/** The account of an approval, with its session token. */
function accountIn(result: ApprovalResult | Proposed): ApprovedAccount {
  if (!('account' in result)) return unexpected(result)
  const { publicKey, representedGroupPolicy: group, jwt, ...account } = result.account
  return {
    account: { ...account, publicKey: bytesOfBase64(publicKey) ?? new Uint8Array() },
    group,
    jwt,
  }
}

function unexpected({ kind }: ApprovalResult | Proposed): never {
  throw new Error(`The key keeper returned an invalid result of kind ${kind}`)
}

const addressesOf = ({ account, group }: ActiveAccount) => ({
  address: account.address,
  group: group?.address ?? null,
})

/** An account whose groups have the names that the user may see for them. */
export const withOwnGroups = (
  account: WalletAccount,
  accounts: readonly WalletAccount[],
): WalletAccount => ({
  ...account,
  groups: account.groups.map(({ address }) => ownNamed(accounts, address)),
})

/** The active account and group with the names that the user may see for them. */
export function actingAs(
  { account, group }: ActiveAccount,
  accounts: readonly WalletAccount[],
): ActingAs {
  return {
    account: ownNamed(accounts, account.address),
    group: group && ownNamed(accounts, group.address),
  }
}

function sendRequestOf(request: TransactionRequest) {
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

/** The maximum and default lifetime of a page's token (protocol 8). */
const MAX_TOKEN_LIFETIME_S = 86_400

/** The lifetime of the token for a page. */
export function tokenLifetimeS({ jwtExpirationS }: ConnectOptions): number {
  return Math.min(jwtExpirationS ?? MAX_TOKEN_LIFETIME_S, MAX_TOKEN_LIFETIME_S)
}

/**
 * The accounts and groups that meet a page's requirements (§4.1): a specific account, a specific group, or no groups at
 * all. Each account is followed by the groups it may act for.
 */
export function connectChoices(
  accounts: readonly WalletAccount[],
  connectOptions: ConnectOptions,
): readonly Choice[] {
  const { individualAddress, groupAddress, prohibitGroups = false } = connectOptions
  return accounts
    .filter(({ address }) => individualAddress === undefined || address === individualAddress)
    .flatMap((account) => [
      { account, group: null },
      ...withOwnGroups(account, accounts).groups.map((group) => ({ account, group })),
    ])
    .filter(({ group }) => (groupAddress === undefined ? true : group?.address === groupAddress))
    .filter(({ group }) => group === null || !prohibitGroups)
    .map(({ account: { name, address }, group }) => ({
      value: group === null ? address : `${address} ${group.address}`,
      account: { name, address },
      group,
      request: {
        kind: 'connect',
        address,
        group: group?.address ?? null,
        jwtExpirationS: tokenLifetimeS(connectOptions),
      },
    }))
}
