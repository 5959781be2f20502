import { Alert } from '@portico/ui/alert'
import { LinkButton } from '@portico/ui/link-button'
import type { Progress } from './connect.flow.ts'

/** Says why an attempt came to nothing, with the way on. */
export function ConnectFailure({ progress, onRetry }: { progress: Progress; onRetry: () => void }) {
  if (progress.is !== 'failed') return null
  return (
    <Alert tone="danger" title="The wallet did not connect">
      <p>{progress.message}</p>
      <p>
        <LinkButton onClick={onRetry}>Try again</LinkButton>
      </p>
    </Alert>
  )
}
