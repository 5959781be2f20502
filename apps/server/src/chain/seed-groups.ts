import type { Clock } from '../clock.ts'
import type { AllStores } from '../stores.ts'
import { BASE_DENOM, FAUCET_AMOUNT } from './block.ts'

/**
 * Creates missing groups of group accounts on the chain, with the authorized wallets as members. Any single member can
 * decide.
 */
export async function seedGroups(deps: {
  readonly stores: AllStores
  readonly clock: Clock
}): Promise<void> {
  const groups = Map.groupBy(await deps.stores.accounts.groups(), ({ address }) => address)
  for (const [address, rows] of groups) {
    if ((await deps.stores.chain.policy(address)) !== undefined) continue
    const at = deps.clock()
    await deps.stores.atomically(async ({ chain }) => {
      const id = await chain.next('groups')
      // Another node may have created it meanwhile.
      if ((await chain.policy(address)) !== undefined) return
      const metadata = JSON.stringify({ name: rows[0]?.name ?? '' })
      await chain.addGroup({
        group: { id, admin: address, metadata, total_weight: `${rows.length}`, created_at: at },
        members: rows.map((row) => ({ address: row.wallet_address, weight: '1', metadata: '' })),
      })
      await chain.addPolicy({
        address,
        group_id: id,
        admin: address,
        metadata: '',
        decision_policy: JSON.stringify({
          '@type': '/cosmos.group.v1.ThresholdDecisionPolicy',
          threshold: '1',
          windows: { voting_period: '172800s', min_execution_period: '0s' },
        }),
        created_at: at,
      })
      await chain.addAccount(address, await chain.next('accounts'))
      await chain.credit(address, BASE_DENOM, FAUCET_AMOUNT)
    })
  }
}
