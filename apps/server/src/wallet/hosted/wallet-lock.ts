/**
 * The lock of the hosted wallet: kept with the session, so that no tab, frame or script gets around it. It closes when the
 * person locks the wallet, when they did nothing in it for a while, and an hour after they last proved who they are.
 * Reading and requests of pages do not keep it open. Proving who one is opens it.
 */
import { Refusal } from '@portico/contracts/errors'
import { HOSTED_WALLET_IDLE_MS, HOSTED_WALLET_OPEN_MAXIMUM_MS } from '@portico/contracts/limits'
import { type Clock, isRecent } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { OpenSession } from '../../sessions/sessions.ts'
import type { AllStores } from '../../stores.ts'

// Being used is recorded as seldom as the idle time allows.
const NOTED_EVERY_MS = 60_000

/** Locks the hosted wallet of a session, and asserts that it is open. */
export function walletLock({
  stores,
  clock,
}: {
  readonly stores: AllStores
  readonly clock: Clock
}) {
  /** @throws Refusal - `wallet-locked` */
  function assertOpen({ confirmedAt, wallet }: OpenSession): void {
    const at = clock()
    const isUsed = [confirmedAt, wallet.usedAt].some((used) =>
      isRecent(used, HOSTED_WALLET_IDLE_MS, at),
    )
    const isProven = isRecent(confirmedAt, HOSTED_WALLET_OPEN_MAXIMUM_MS, at)
    if (wallet.locked || !isUsed || !isProven) throw new Refusal('wallet-locked')
  }

  return {
    assertOpen,

    /**
     * For what the person does themselves, which keeps the wallet open.
     *
     * @throws Refusal - `wallet-locked`
     */
    async use(session: OpenSession): Promise<void> {
      assertOpen(session)
      const at = clock()
      const since = at - Math.max(session.confirmedAt, session.wallet.usedAt)
      if (since > NOTED_EVERY_MS) await stores.sessions.useWallet(session.id, at)
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
