/**
 * A page's preferences for the connection (protocol 8). They are only sent in the URI, so the wallet
 * must enforce them: a preference it cannot meet ends the attempt.
 */
import { RPC_ERRORS, type RpcError } from '../protocol/errors.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { ActiveAccount, SigningAccount } from './active-account.ts'

/** The accounts the user may choose from; none if the page requires one that this wallet does not have. */
export function eligibleAccounts(
  accounts: readonly SigningAccount[],
  { individualAddress }: ConnectOptions,
): readonly SigningAccount[] {
  return individualAddress === undefined
    ? accounts
    : accounts.filter(({ address }) => address === individualAddress)
}

/** The error to respond with if an account and group do not meet the page's preferences. */
export function invalidPreference(
  { account, group }: ActiveAccount,
  wishes: ConnectOptions,
): RpcError | undefined {
  const { groupAddress, prohibitGroups } = wishes
  if (eligibleAccounts([account], wishes).length === 0) return RPC_ERRORS.accountUnavailable
  if (groupAddress !== undefined && group?.address !== groupAddress)
    return RPC_ERRORS.groupUnavailable
  return prohibitGroups === true && group !== null ? RPC_ERRORS.groupsProhibited : undefined
}
