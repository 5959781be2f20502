import type { Failure } from '@portico/shell/failure'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'

/** Shown in place of what could not be loaded. */
export function LoadFailed({
  failure,
  supportPhone,
  onRetry,
}: {
  failure: Failure
  supportPhone: string
  onRetry: () => void
}) {
  return (
    <Stack>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <Button wide onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  )
}
