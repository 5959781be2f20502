/**
 * The lock of the hosted wallet, stored with the session so that no tab, frame or script can bypass it. The wallet
 * locks on request, after inactivity, and an hour after the user last proved their identity. Reads and requests from
 * pages do not count as activity. A new proof unlocks it. A login at an identity provider is not one: its administrators could
 * otherwise use the wallets of people whom they do not manage.
 */
import { Refusal } from '@portico/contracts/errors'
import { HOSTED_WALLET_IDLE_MS, MAX_HOSTED_WALLET_OPEN_MS } from '@portico/contracts/limits'
import { type Clock, isRecent } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'

// Limits writes: activity is recorded at most this often.
const ACTIVITY_INTERVAL_MS = 60_000

/** Locks the hosted wallet of a session and checks that it is open. */
export function walletLock({
  stores,
  clock,
}: {
  readonly stores: TransactionalStores<'audit' | 'sessions'>
  readonly clock: Clock
}) {
  /** @throws Refusal - `wallet-locked` */
  function assertOpen({ confirmedAt, confirmedBy, method, wallet }: OpenSession): void {
    const at = clock()
    const isUsed = [confirmedAt, wallet.usedAt].some((used) =>
      isRecent(used, HOSTED_WALLET_IDLE_MS, at),
    )
    const isProven =
      (method !== 'provider' || confirmedBy !== undefined) &&
      isRecent(confirmedAt, MAX_HOSTED_WALLET_OPEN_MS, at)
    if (wallet.locked || !isUsed || !isProven) throw new Refusal('wallet-locked')
  }

  return {
    assertOpen,

    /**
     * Checks that the wallet is open and records activity of the user, which keeps it open.
     *
     * @throws Refusal - `wallet-locked`
     */
    async recordUse(session: OpenSession): Promise<void> {
      assertOpen(session)
      const at = clock()
      const since = at - Math.max(session.confirmedAt, session.wallet.usedAt)
      if (since > ACTIVITY_INTERVAL_MS) await stores.sessions.updateWalletUsed(session.id, at)
    },

    async lock(session: OpenSession, visitor: Visitor): Promise<void> {
      const at = clock()
      await stores.atomically(async (transaction) => {
        await transaction.sessions.updateWalletLocked(session.id, at)
        await transaction.audit.record(
          'hosted-wallet-locked',
          { identityId: session.identityId, at },
          visitor,
        )
      })
    },
  }
}
