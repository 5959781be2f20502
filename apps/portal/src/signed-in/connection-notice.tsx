import { Alert } from '@portico/ui/alert'
import { LinkButton } from '@portico/ui/link-button'
import styles from './signed-in.module.css'

/** A notice above the content: the browser is offline, or the server did not respond. */
export function ConnectionNotice({
  kind,
  onRetry,
}: {
  kind: 'offline' | 'unreachable'
  onRetry?: () => void
}) {
  return (
    <div className={styles.notice}>
      {kind === 'offline' ? (
        <Alert tone="warn" title="You are offline">
          <p>What you see may be out of date. This page continues once you are online again.</p>
        </Alert>
      ) : (
        <Alert tone="warn" title="We could not reach the server">
          <p>What you see may be out of date. Check your connection, then try again.</p>
          <p>
            <LinkButton onClick={onRetry}>Try again</LinkButton>
          </p>
        </Alert>
      )}
    </div>
  )
}
