import { formatTime } from '@portico/rules/format'
import { shortAddress } from '@portico/rules/short-address'
import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import { useEffect, useEffectEvent } from 'react'
import { DECISION_TONES, decisionTitle } from '../../approval/outcome-text.ts'
import type { HistoryEntry } from '../../device-wallet.ts'
import { FailureNotice } from '../../failure-notice.tsx'
import { Outcome } from '../../outcome.tsx'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import { Acting } from '../acting.tsx'
import { CopyButton } from '../copy-button.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import type { GroupReader } from '../groups/group-reader.ts'
import styles from '../list.module.css'
import { useLive } from '../use-live.ts'

/** How often the history is read while the outcome of a transaction is unknown: the keeper looks for it each time. */
const UPDATE_INTERVAL_MS = 5000

/** What was signed or declined, where and when. */
export function Activity() {
  const { keeper, reportError } = useDeviceEnvironment()
  const { value: entries, failure, reload } = useLive(keeper.history, keeper.subscribe, reportError)
  const isOutcomeUnknown = entries?.some(({ decision }) => decision.how === 'unknown') ?? false
  const update = useEffectEvent(reload)
  useEffect(() => {
    if (!isOutcomeUnknown) return
    const timer = setInterval(() => update(), UPDATE_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isOutcomeUnknown])
  if (failure !== undefined) {
    return (
      <Screen title="Activity">
        <FailureNotice failure={failure} />
        <Button wide kind="secondary" onClick={reload}>
          Try again
        </Button>
      </Screen>
    )
  }
  return (
    <Screen title="Activity">
      {entries === undefined ? (
        <Skeleton shape="text" count={4} label="Loading your activity" />
      ) : entries.length === 0 ? (
        <p className={styles.empty}>
          Nothing yet. What you sign, send or decline appears here, with the site and the time.
        </p>
      ) : (
        <ul className={styles.list}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Screen>
  )
}

/** How a proposal stands now, if the chain can be reached. */
function Standing({ id, groups }: { id: string; groups: GroupReader }) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { value } = useLive(
    async () => {
      const [{ missingText, STATUS_TEXTS }, proposal] = await Promise.all([
        import('../groups/proposal-text.ts'),
        groups.readProposal(id),
      ])
      if (proposal?.status === 'open') return missingText(proposal)
      return STATUS_TEXTS[(proposal ?? (await groups.readResult(id))).status]
    },
    keeper.subscribe,
    reportError,
  )
  return value === undefined ? null : <p className={styles.muted}>{value}</p>
}

function Entry({
  entry: { at, origin, acting, effect, decision, txhash, proposalId },
}: {
  entry: HistoryEntry
}) {
  const { groups } = useDeviceEnvironment()
  return (
    <li className={styles.item}>
      <p className={styles.title}>
        <UntrustedText>{effect}</UntrustedText>
      </p>
      <Outcome tone={DECISION_TONES[decision.how]} isSmall>
        {decision.how === 'proposed' ? 'Proposed to the group' : decisionTitle(decision)}
      </Outcome>
      {proposalId !== undefined && groups && <Standing id={proposalId} groups={groups} />}
      <p className={styles.muted}>{origin ?? 'An unknown page'}</p>
      <p className={styles.muted}>
        <Acting {...acting} />
      </p>
      <p className={styles.muted}>{formatTime(at)}</p>
      {txhash !== null && (
        <p className={styles.hash}>
          Transaction <code title={txhash}>{shortAddress(txhash)}</code>
          <CopyButton text={txhash} label="Copy the transaction hash" />
        </p>
      )}
    </li>
  )
}
