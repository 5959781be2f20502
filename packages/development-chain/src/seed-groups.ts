import { BASE_DENOM, FAUCET_AMOUNT } from './block.ts'
import type { AtomicChainStore } from './chain.store.ts'

/** A group account that the chain must have. */
export interface GroupAccount {
  readonly address: string
  readonly name: string
  readonly members: readonly string[]
  /** How many members must agree. */
  readonly threshold: number
}

/** Creates the groups that do not exist yet. */
export async function seedGroups(
  store: AtomicChainStore,
  { groups, at }: { readonly groups: readonly GroupAccount[]; readonly at: number },
): Promise<void> {
  for (const { address, name, members, threshold } of groups) {
    if ((await store.policy(address)) !== undefined) continue
    await store.atomically(async (chain) => {
      const id = await chain.next('groups')
      // Another node may have created it in the meantime.
      if ((await chain.policy(address)) !== undefined) return
      const metadata = JSON.stringify({ name })
      await chain.addGroup({
        group: {
          id,
          admin: address,
          metadata,
          totalWeight: `${members.length}`,
          createdAt: at,
          version: 1,
        },
        members: members.map((member) => ({ address: member, weight: '1', metadata: '' })),
      })
      await chain.addPolicy({
        address,
        groupId: id,
        admin: address,
        metadata: '',
        decisionPolicy: JSON.stringify({
          '@type': '/cosmos.group.v1.ThresholdDecisionPolicy',
          threshold: `${threshold}`,
          windows: { voting_period: '172800s', min_execution_period: '0s' },
        }),
        createdAt: at,
        version: 1,
      })
      await chain.addAccount(address, await chain.next('accounts'))
      await chain.credit(address, BASE_DENOM, FAUCET_AMOUNT)
    })
  }
}
