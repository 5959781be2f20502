import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import type { Failure } from './failure.ts'
import { FailureAlert } from './failure-alert.tsx'

export type FailureWithRetryProps = {
  failure: Failure
  supportPhone: string
  onRetry: () => void
  /** Shown between the alert and the button. */
  children?: ReactNode
}

/** A failure with a retry button, shown in place of the content. */
export function FailureWithRetry({
  failure,
  supportPhone,
  onRetry,
  children,
}: FailureWithRetryProps) {
  return (
    <Stack>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      {children}
      <Button wide onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  )
}
