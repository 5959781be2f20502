/**
 * What a page may wish for before it connects (protocol 8). The wishes stand in the URI only, so it is the wallet that
 * has to keep to them: a wish it cannot fulfil ends the attempt.
 */
import { RPC_ERRORS, type RpcErrorName } from '../protocol/errors.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Acting, HeldAccount } from './acting.ts'

/** The accounts among which the person may choose; none where the page wants one that is not here. */
export function eligibleAccounts(
  accounts: readonly HeldAccount[],
  { individualAddress }: ConnectOptions,
): readonly HeldAccount[] {
  return individualAddress === undefined
    ? accounts
    : accounts.filter(({ address }) => address === individualAddress)
}

/** What a choice of account and group breaks of the page's wishes, as the fault that answers it. */
export function invalidPreference(
  { account, group }: Acting,
  wishes: ConnectOptions,
): RpcErrorName | undefined {
  const { groupAddress, prohibitGroups } = wishes
  if (eligibleAccounts([account], wishes).length === 0) return RPC_ERRORS.accountUnavailable
  if (groupAddress !== undefined && group?.address !== groupAddress)
    return RPC_ERRORS.groupUnavailable
  return prohibitGroups === true && group !== null ? RPC_ERRORS.groupsProhibited : undefined
}
