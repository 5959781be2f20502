import { formatTime } from '@portico/rules/format'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import type { ConnectedSite } from '../../device-wallet.ts'
import { FailureNotice } from '../../failure-notice.tsx'
import { Outcome } from '../../outcome.tsx'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import { Acting } from '../acting.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import styles from '../list.module.css'

/** The pages that are connected to the wallet. */
export function Sites({
  onBack,
}: {
  /** Set if the list has no tab of its own. */
  onBack?: () => void
}) {
  const sites = useSites()
  const [disconnectingId, setDisconnectingId] = useState<string>()
  const disconnecting = sites.find(({ id }) => id === disconnectingId)
  if (disconnecting !== undefined) {
    return <Disconnect site={disconnecting} onDone={() => setDisconnectingId(undefined)} />
  }
  return (
    <Screen title="Connected sites">
      {sites.length === 0 ? (
        <p className={styles.empty}>
          No site is connected. When you connect your wallet on a site, it appears here, and you can
          disconnect it at any time.
        </p>
      ) : (
        <ul className={styles.list}>
          {sites.map((site) => (
            <li key={site.id} className={styles.item}>
              <SiteName
                site={site}
                action={
                  <LinkButton
                    aria-label={`Disconnect ${nameOf(site)}`}
                    onClick={() => setDisconnectingId(site.id)}
                  >
                    Disconnect
                  </LinkButton>
                }
              />
              <p className={styles.muted}>
                <Acting {...site.acting} />
              </p>
              <p className={styles.muted}>Until {formatTime(site.expiresAt)}</p>
            </li>
          ))}
        </ul>
      )}
      {onBack && (
        <p>
          <LinkButton onClick={onBack}>Back to the settings</LinkButton>
        </p>
      )}
    </Screen>
  )
}

/** A page by its verified origin, or by its own name, which may be false. */
function SiteName({
  site: { origin, claimedName, claimedUrl },
  action,
}: {
  site: ConnectedSite
  action?: ReactNode
}) {
  return (
    <>
      <div className={styles.line}>
        <p className={styles.title}>
          {origin ??
            (claimedName === '' ? (
              'A page without a name'
            ) : (
              <UntrustedText>{claimedName}</UntrustedText>
            ))}
        </p>
        {action}
      </div>
      <Outcome tone={origin === undefined ? 'warn' : 'ok'} isSmall>
        {origin === undefined ? 'Not verified' : 'Verified'}
      </Outcome>
      {origin === undefined && claimedUrl !== '' && (
        <p className={styles.muted}>
          It claims to be <UntrustedText>{claimedUrl}</UntrustedText>
        </p>
      )}
    </>
  )
}

const nameOf = ({ origin, claimedName }: ConnectedSite) => origin ?? claimedName

/** Asks before a page is disconnected. */
export function Disconnect({ site, onDone }: { site: ConnectedSite; onDone: () => void }) {
  const { requests, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  return (
    <Screen
      title="Disconnect this site?"
      actions={
        <>
          <Button kind="secondary" disabled={pending} onClick={onDone}>
            Back
          </Button>
          <Button
            kind="danger"
            busy={pending}
            busyLabel="Ending…"
            onClick={() => run(() => requests.disconnect(site.id), onDone)}
          >
            Disconnect
          </Button>
        </>
      }
    >
      {failure && <FailureNotice failure={failure} />}
      <div>
        <SiteName site={site} />
      </div>
      <p>
        It can no longer ask you for signatures, and waiting requests are withdrawn. What you
        already signed stays valid. You can connect again from the site.
      </p>
      {site.origin === undefined && (
        <Alert tone="info">
          <p>This connection was made by scanning a code, so its address could not be checked.</p>
        </Alert>
      )}
    </Screen>
  )
}

function useSites(): readonly ConnectedSite[] {
  const { requests } = useDeviceEnvironment()
  // The source may return a new array each time, but React compares snapshots by identity.
  const json = useSyncExternalStore(
    requests.subscribe,
    () => JSON.stringify(requests.sites()),
    () => '[]',
  )
  return JSON.parse(json) as readonly ConnectedSite[] // The source's own value.
}
