/** The operator who is signed in, or why there is no access. */
import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { readOperator } from '@portico/contracts/admin/operators'
import type { Permission } from '@portico/contracts/admin/permissions'
import type { Parsed } from '@portico/contracts/call'
import { type Here, loginPathBefore, pathAndQuery } from '@portico/rules/wallet-redirects'
import { FailureWithRetry } from '@portico/shell/failure-with-retry'
import { useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { createContext, type ReactNode, use, useEffect, useEffectEvent } from 'react'
import { type Environment, useEnvironment } from '../environment.ts'
import type { Section } from '../routes.ts'
import { StepUp, StepUpDialog, useStepUp } from '../step-up/step-up.tsx'
import styles from './operator.module.css'

export type Operator = Parsed<(typeof readOperator)['answer']>

interface SignedInOperator {
  readonly operator: Operator
  /** Its calls wait for a confirmation if the server requires one. */
  readonly client: Client
  /** Waits as well. */
  readonly readFile: Environment['readFile']
}

const OperatorContext = createContext<SignedInOperator | undefined>(undefined)

/** For tests and the gallery, which have no server. */
export const OperatorProvider = OperatorContext.Provider

export function useOperator(): SignedInOperator {
  const signedIn = use(OperatorContext)
  if (signedIn === undefined) throw new Error('The page is not within <Access>')
  return signedIn
}

/** Whether the operator has the permission for at least one organization. */
export function isPermitted({ permissions }: Operator, permission: Permission): boolean {
  return permissions.some((each) => each.permission === permission)
}

/** Whether the operator may open a section of the console. */
export function mayOpen(operator: Operator, { name, permissions }: Section): boolean {
  // Without acts that need a second operator there is nothing to approve.
  if (name === 'approvals' && operator.approvalActs.length === 0) return false
  return permissions.some((permission) => isPermitted(operator, permission))
}

/** The name of an organization of the operator, or its code. */
export function organizationName({ organizations }: Operator, code: string): string {
  return organizations.find(({ organizationCode }) => organizationCode === code)?.name ?? code
}

/** Shows its children to operators; all others read what to do. */
export function Access({ here, children }: { here: Here; children: ReactNode }) {
  const { client, page, replace, reportError, watchLogout } = useEnvironment()
  const logIn = () => replace(loginPathBefore(pathAndQuery(here)))
  const onLogout = useEffectEvent(logIn)
  useEffect(() => watchLogout(() => onLogout()), [watchLogout])
  const { result, failure, retry, reload } = useLoad(async (signal) => {
    try {
      return await client(readOperator, { signal })
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'unauthenticated') return logIn()
      throw error
    }
  }, reportError)
  if (failure !== undefined) {
    return (
      <Notice title="The console did not load">
        <FailureWithRetry failure={failure} supportPhone={page.supportPhone} onRetry={retry} />
      </Notice>
    )
  }
  if (result === undefined) {
    return (
      <Notice title="Operator console">
        <Skeleton shape="text" count={3} label="Loading the console" />
      </Notice>
    )
  }
  return result.access === 'granted' ? (
    <Granted operator={result}>{children}</Granted>
  ) : (
    <NoAccess operator={result}>
      <StepUp isIdle onConfirmed={reload} />
    </NoAccess>
  )
}

/** `children` confirms the operator's identity, if that helps. */
export function NoAccess({ operator, children }: { operator: Operator; children: ReactNode }) {
  switch (operator.access) {
    case 'granted':
      return null
    case 'no-grant':
      return (
        <Notice title="You have no access to this console">
          <Stack>
            <p>
              You are logged in as <strong>{operator.name}</strong>, which is not an operator. Ask
              an administrator for a role, or log in with another account.
            </p>
            <div className={styles.actions}>
              <AnchorButton href="/auth/logout">Log out</AnchorButton>
              <AnchorButton kind="secondary" href="/dashboard">
                Go to your dashboard
              </AnchorButton>
            </div>
          </Stack>
        </Notice>
      )
    case 'second-factor-missing':
      return <Notice title="Confirm it's you">{children}</Notice>
    case 'idle':
      return (
        <Notice title="You were away for a while">
          <Stack>
            <p>The console locks itself after 15 minutes. You return to the page that you left.</p>
            {children}
          </Stack>
        </Notice>
      )
  }
}

function Granted({ operator, children }: { operator: Operator; children: ReactNode }) {
  const { pending, ...calls } = useStepUp(useEnvironment())
  return (
    <OperatorContext value={{ operator, ...calls }}>
      {children}
      {pending && <StepUpDialog title="" pending={pending} onClose={() => pending.answer(false)} />}
    </OperatorContext>
  )
}

/** A page without navigation. */
function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.notice} id="content">
      <p className={styles.product}>Portico console</p>
      <h1>{title}</h1>
      {children}
    </main>
  )
}
