/**
 * The lock of the hosted wallet: kept with the session, so that no tab, frame or script gets round it. It falls when the
 * person locks the wallet, and by itself when nobody used it for a while. Confirming who one is opens it.
 */
import { Refusal } from '@portico/contracts/errors'
import { HOSTED_WALLET_IDLE_MS } from '@portico/contracts/limits'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'

// Being used is written down as seldom as the idle time allows.
const NOTED_EVERY_MS = 60_000

/** Locks the hosted wallet of a session, and asserts that it is open. */
export function walletLock({
  stores,
  clock,
}: {
  readonly stores: AllStores
  readonly clock: Clock
}) {
  return {
    /** @throws Refusal - `wallet-locked` */
    async use({ id, confirmedAt, wallet }: OpenSession): Promise<void> {
      const at = clock()
      const idle = at - Math.max(confirmedAt, wallet.usedAt)
      if (wallet.locked || idle > HOSTED_WALLET_IDLE_MS) throw new Refusal('wallet-locked')
      if (idle > NOTED_EVERY_MS) await stores.sessions.useWallet(id, at)
    },

    async lock(session: OpenSession, visitor: Visitor): Promise<void> {
      const at = clock()
      await stores.atomically(async (together) => {
        await together.sessions.lockWallet(session.id, at)
        await together.audit.add({
          kind: 'hosted-wallet-locked',
          at,
          identityId: session.identityId,
          organizationCode: visitor.organization.orgCode,
          network: visitor.network,
        })
      })
    },
  }
}
