import type { DeviceParts } from './environment.ts'
import type { GroupReader } from './groups/group-reader.ts'

/**
 * What a device wallet reads from the chain at a URL. The code for it is loaded on first use. Only a demonstration's chain pays
 * test funds.
 */
export function chainParts(
  url: string,
  { hasFaucet }: { readonly hasFaucet: boolean },
): Required<Pick<DeviceParts, 'balances' | 'requestFunds'>> & { readonly groups: GroupReader } {
  const reader = async () => (await import('./chain-reader.ts')).chainReader(url)
  return {
    balances: async (addresses) => (await reader()).balances(addresses),
    groups: {
      listProposals: async (accounts) => (await reader()).groups.listProposals(accounts),
      readProposal: async (id) => (await reader()).groups.readProposal(id),
      readResult: async (id) => (await reader()).groups.readResult(id),
      listGroups: async (accounts) => (await reader()).groups.listGroups(accounts),
    },
    requestFunds: hasFaucet ? async (address) => (await reader()).requestFunds(address) : undefined,
  }
}
