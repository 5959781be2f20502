import type { ConnectOptions } from '@portico/wallet-connect/protocol'
import type { Choice } from '../approval-request.ts'
import type { KeeperAccount } from '../key-keeper.ts'

/** The longest that a page may show the token of an account, and how long it may where it wishes nothing (protocol 8). */
const TOKEN_LIFETIME_MAXIMUM_S = 86_400

/** How long a page may show the token of the account that it connects to. */
export function tokenLifetimeS({ jwtExpirationS }: ConnectOptions): number {
  return Math.min(jwtExpirationS ?? TOKEN_LIFETIME_MAXIMUM_S, TOKEN_LIFETIME_MAXIMUM_S)
}

/**
 * The ways in which a page's wishes can be met (§4.1): the account it insists on, the group it insists on, no group at
 * all. An account by itself comes before the groups it may act for.
 */
export function connectChoices(
  accounts: readonly KeeperAccount[],
  wishes: ConnectOptions,
): readonly Choice[] {
  const { individualAddress, groupAddress, prohibitGroups = false } = wishes
  return accounts
    .filter(({ address }) => individualAddress === undefined || address === individualAddress)
    .flatMap(({ groups, ...account }) => [
      { account, group: null },
      ...groups.map((group) => ({ account, group })),
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
        jwtExpirationS: tokenLifetimeS(wishes),
      },
    }))
}
