/**
 * Confirmation by passkey or authenticator. A call that needs one waits for it and is then repeated, so nothing that the
 * operator entered is lost.
 */
import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { readSecurity } from '@portico/contracts/account-security'
import { readOperator } from '@portico/contracts/admin/operators'
import { type ConfirmationMethod, confirmationMethods } from '@portico/rules/confirmation-methods'
import { Confirmation } from '@portico/shell/confirmation'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Dialog } from '@portico/ui/dialog'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { type Environment, useEnvironment } from '../environment.ts'

/** Errors of calls that succeed once the operator has confirmed their identity. */
const CONFIRMABLE = ['confirmation-needed', 'operator-idle', 'second-factor-missing']

/** A call that waits for a confirmation. */
interface PendingStepUp {
  readonly isIdle: boolean
  readonly answer: (confirmed: boolean) => void
}

/** Calls and downloads that wait for a confirmation if the server requires one. */
export function useStepUp({ client, readFile }: Pick<Environment, 'client' | 'readFile'>): {
  readonly client: Client
  readonly readFile: Environment['readFile']
  readonly pending: PendingStepUp | undefined
} {
  const [waiting, setWaiting] = useState<readonly PendingStepUp[]>([])
  const [confirming] = useState(() => {
    async function confirmed<Result>(ask: () => Promise<Result>): Promise<Result> {
      try {
        return await ask()
      } catch (error) {
        const reason = error instanceof ApiError ? error.reason : undefined
        if (reason === undefined || !CONFIRMABLE.includes(reason)) throw error
        const isConfirmed = await new Promise<boolean>((answer) =>
          setWaiting((others) => [...others, { isIdle: reason !== 'confirmation-needed', answer }]),
        )
        if (!isConfirmed) throw error
        return ask()
      }
    }
    return {
      client: ((call, input) => confirmed(() => client(call, input))) satisfies Client,
      readFile: ((...input) =>
        confirmed(() => readFile(...input))) satisfies Environment['readFile'],
    }
  })
  // One confirmation answers all waiting calls.
  const answer = (confirmed: boolean) => {
    setWaiting([])
    for (const each of waiting) each.answer(confirmed)
  }
  return { ...confirming, pending: waiting[0] && { ...waiting[0], answer } }
}

/** Loads the strong methods of the operator and confirms with one of them. */
export function StepUp({ isIdle, onConfirmed }: { isIdle: boolean; onConfirmed: () => void }) {
  const { client, page, passkeys, reportError } = useEnvironment()
  // A confirmation in another tab counts for this one too. Its code would be refused here, because each is valid once.
  const check = useEffectEvent(async (signal: AbortSignal) => {
    const { access, confirmedUntil } = await client(readOperator, { signal })
    if (access === 'granted' && (isIdle || confirmedUntil !== null)) onConfirmed()
  })
  useEffect(() => {
    const current = new AbortController()
    const { signal } = current
    const onFocus = () => void check(signal).catch(() => undefined) // The form is still there.
    window.addEventListener('focus', onFocus, { signal })
    return () => current.abort()
  }, [])
  const { result, failure, retry } = useLoad(
    (signal) => client(readSecurity, { signal }),
    reportError,
  )
  if (failure !== undefined) {
    return <FailureWithRetry failure={failure} supportPhone={page.supportPhone} onRetry={retry} />
  }
  if (result === undefined) return <Skeleton shape="field" count={2} label="Loading" />
  const methods = confirmationMethods(result, { passkeys: passkeys.supported() }).filter(isStrong)
  if (methods.length === 0) return <NoStrongMethod />
  const email = result.aliases.find(({ type }) => type === 'Email')?.value ?? ''
  return (
    <Confirmation
      user={{ email, methods, supportPhone: page.supportPhone }}
      client={client}
      passkeys={passkeys}
      purpose="change"
      onConfirmed={onConfirmed}
      reportError={reportError}
    />
  )
}

const isStrong = (method: ConfirmationMethod) => method === 'passkey' || method === 'totp'

/** Tells an operator without a passkey or authenticator what to do. */
export function NoStrongMethod() {
  return (
    <Stack>
      <p>
        Operators confirm with a passkey or an authenticator app that they had when they logged in.
        Add one in your security settings if you have none. Then log out and log in again.
      </p>
      <div>
        <AnchorButton href="/dashboard/security">Go to your security settings</AnchorButton>
      </div>
    </Stack>
  )
}

/** A dialog whose content is hidden, but kept, while a call waits for a confirmation. */
export function StepUpDialog({
  title,
  pending,
  width,
  onClose,
  children,
}: {
  title: ReactNode
  pending: PendingStepUp | undefined
  width?: 'standard' | 'wide'
  onClose: (() => void) | undefined
  children?: ReactNode
}) {
  return (
    <Dialog
      open
      title={pending ? "Confirm it's you" : title}
      width={pending === undefined && width !== undefined ? width : 'standard'}
      onClose={pending ? () => pending.answer(false) : onClose}
    >
      {pending && <StepUp isIdle={pending.isIdle} onConfirmed={() => pending.answer(true)} />}
      <div hidden={pending !== undefined}>{children}</div>
    </Dialog>
  )
}
