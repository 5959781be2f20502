import { CONSOLE_PATH } from '@portico/contracts/console-page'
import { stopImpersonation } from '@portico/contracts/identity'
import type { PageSession } from '@portico/contracts/page-data'
import { useBesideDialogs } from '@portico/ui/beside-dialogs'
import { Icon } from '@portico/ui/icon'
import { LiveRegion } from '@portico/ui/live-region'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PageEnvironment } from '../page-environment.ts'
import { useCall } from '../use-call.ts'
import styles from './viewing-strip.module.css'

export type Viewing = NonNullable<PageSession['impersonation']>

/** The console page that the operator returns to. */
export const personPath = ({ identityUuid }: Viewing) => `${CONSOLE_PATH}/people/${identityUuid}`

const SECOND_MS = 1000

/** Screen readers announce the time left at these minutes before the end. */
const ANNOUNCED_MINUTES = [5, 1]

/**
 * Shown on every page that an operator views as a user: both email addresses, the time left, and a Stop button. When the
 * time is up or the operator presses Stop, they return to the person's page in the console. Dialogs do not cover it.
 */
export function ViewingStrip({
  email,
  viewing,
  environment: { client, jwt, reportError },
  leave,
}: {
  /** The person's email address. */
  email: string
  viewing: Viewing
  environment: Pick<PageEnvironment, 'client' | 'jwt' | 'reportError'>
  /** Loads another page. */
  leave: (to: string) => void
}) {
  const { pending, failure, run } = useCall(reportError)
  const end = () => {
    jwt.remove()
    leave(personPath(viewing))
  }
  const secondsLeft = useSecondsLeft(viewing.secondsLeft, end)
  const stop = () => run((signal) => client(stopImpersonation, { signal }), end)
  const minutes = secondsLeft / 60
  const stopButton = useRef<HTMLButtonElement>(null)
  useBesideDialogs(stopButton)
  return (
    // The live region below makes the announcements.
    <section className={styles.strip} aria-label="Viewing as an operator" aria-live="off">
      <Icon name="warning" />
      <p className={styles.names}>
        <strong>
          <bdi dir="ltr">{email}</bdi>
        </strong>{' '}
        <span className={styles.operator}>
          viewed by <bdi dir="ltr">{viewing.operatorEmail}</bdi>
        </span>
        {failure !== undefined && (
          <span className={styles.failure} role="alert">
            Could not stop. Try again.
          </span>
        )}
      </p>
      <span className={styles.left} role="timer">
        <span>{timeText(secondsLeft)}</span> <span className={styles.words}>left, read-only</span>
      </span>
      <button
        ref={stopButton}
        type="button"
        className={styles.stop}
        aria-disabled={pending}
        onClick={stop}
      >
        Stop
      </button>
      <LiveRegion
        message={
          ANNOUNCED_MINUTES.includes(minutes)
            ? `${minutes === 1 ? 'One minute' : `${minutes} minutes`} left to view this account.`
            : ''
        }
      />
    </section>
  )
}

/** Counts down from the server's value, independent of this device's clock. */
function useSecondsLeft(secondsLeft: number, onEnd: () => void): number {
  const [left, setLeft] = useState(secondsLeft)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const endsAt = Date.now() + secondsLeft * SECOND_MS
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((endsAt - Date.now()) / SECOND_MS))
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      end()
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [secondsLeft])
  return left
}

function timeText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
