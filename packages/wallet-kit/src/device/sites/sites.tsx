import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { useState, useSyncExternalStore } from 'react'
import type { ConnectedSite } from '../../device-wallet.ts'
import { Fact, Facts } from '../../facts.tsx'
import { FailureNotice } from '../../failure-notice.tsx'
import { Screen } from '../../screen.tsx'
import { UntrustedText } from '../../untrusted-text.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import { formatTime } from '../format-time.ts'
import styles from '../list.module.css'

/** The pages that are connected to the wallet. */
export function Sites() {
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
              <SiteName site={site} />
              <Facts>
                <Fact label="Account" name={site.acting.account.name} />
                {site.acting.group && <Fact label="Acting for" name={site.acting.group.name} />}
                <Fact label="Connected">{formatTime(site.connectedAt)}</Fact>
                <Fact label="Expires">{formatTime(site.expiresAt)}</Fact>
              </Facts>
              <p>
                <LinkButton
                  aria-label={`Disconnect ${nameOf(site)}`}
                  onClick={() => setDisconnectingId(site.id)}
                >
                  Disconnect
                </LinkButton>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

/** The browser's word for a page, or the page's own, which may be false. */
function SiteName({ site: { origin, claimedName, claimedUrl } }: { site: ConnectedSite }) {
  return origin === undefined ? (
    <div>
      <p className={styles.title}>
        {claimedName === '' ? (
          'A page without a name'
        ) : (
          <UntrustedText>{claimedName}</UntrustedText>
        )}
      </p>
      <p className={styles.muted}>
        Not verified. The page calls itself this{claimedUrl === '' ? '' : ', at '}
        <UntrustedText>{claimedUrl}</UntrustedText>.
      </p>
    </div>
  ) : (
    <p className={styles.title}>
      {origin} <span className={styles.muted}>(verified)</span>
    </p>
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
            busyLabel="Disconnecting…"
            onClick={() => run(() => requests.disconnect(site.id), onDone)}
          >
            Disconnect
          </Button>
        </>
      }
    >
      {failure && <FailureNotice failure={failure} />}
      <SiteName site={site} />
      <p>
        It can no longer ask you for signatures, and requests that wait are withdrawn. What you
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
