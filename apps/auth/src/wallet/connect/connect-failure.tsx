import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { Progress } from './connect.flow.ts'

/** Shows why a connection attempt ended. Declining is the user's own choice, so it is not shown as an error. */
export function ConnectFailure({ progress, onRetry }: { progress: Progress; onRetry: () => void }) {
  if (progress.is !== 'failed' && progress.is !== 'declined') return null
  return (
    <Stack>
      {progress.is === 'declined' ? (
        <Alert tone="info" title="You declined the connection" />
      ) : (
        <Alert tone="danger" title="The wallet did not connect">
          <p>{progress.message}</p>
        </Alert>
      )}
      <Button wide onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  )
}

/** Whether the attempt ended without a connection. */
export function hasEnded({ is }: Progress): boolean {
  return is === 'failed' || is === 'declined'
}
