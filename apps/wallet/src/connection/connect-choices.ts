import type { ConnectOptions } from '@portico/wallet-connect/protocol'
import type { Choice } from '../approval-prompt.ts'
import type { KeyStoreAccount } from '../key-store.ts'

/** The maximum and default lifetime of a page's token (protocol 8). */
const TOKEN_LIFETIME_MAXIMUM_S = 86_400

/** The lifetime of the token for a page. */
export function tokenLifetimeS({ jwtExpirationS }: ConnectOptions): number {
  return Math.min(jwtExpirationS ?? TOKEN_LIFETIME_MAXIMUM_S, TOKEN_LIFETIME_MAXIMUM_S)
}

/**
 * The accounts and groups that meet a page's requirements (§4.1): a specific account, a specific group, or no groups at
 * all. Each account is followed by the groups it may act for.
 */
export function connectChoices(
  accounts: readonly KeyStoreAccount[],
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
