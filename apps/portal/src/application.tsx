import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PageData, PageSession } from '@portico/contracts/page-data'
import { ErrorBoundary } from '@portico/shell/error-boundary'
import { PageFrame } from '@portico/shell/page-frame'
import { LoadPartContext } from '@portico/shell/part'
import { ToastProvider } from '@portico/ui/toast'
import { useEffect } from 'react'
import { Dashboard } from './dashboard/dashboard.tsx'
import { type Environment, EnvironmentContext } from './environment.ts'
import { NotFound } from './not-found/not-found.tsx'
import { SECURITY_PATH, titleOf, transactionOf } from './routes.ts'
import { Security } from './security/security.tsx'
import { TransactionPage } from './transaction/transaction.tsx'

/** Whether the portal has a page for this request; all its pages require a session. */
export function isFound({ path, session }: PageData): boolean {
  return titleOf(path) !== undefined && session !== null
}

/** The root component, rendered by the server and hydrated in the browser. */
export function Application({ page, environment }: { page: PageData; environment: Environment }) {
  const { path, session, supportPhone } = page
  const { telemetry } = environment
  useEffect(() => telemetry.pageViewed(path), [telemetry, path])
  return (
    <EnvironmentContext value={environment}>
      <PageFrame
        page={page}
        wide={isFound(page)}
        banners={path === DEFAULT_REDIRECT && session !== null ? 'dashboard' : undefined}
      >
        <ErrorBoundary
          supportPhone={supportPhone}
          supportEmail={page.organization.orgMetaData.companyInfo.supportEmail}
          signedIn={session !== null}
          onRetry={environment.reload}
        >
          <LoadPartContext value={environment.loadPart}>
            <ToastProvider>
              {isFound(page) && session !== null ? (
                <Screen page={page} session={session} />
              ) : (
                <NotFound signedIn={session !== null} />
              )}
            </ToastProvider>
          </LoadPartContext>
        </ErrorBoundary>
      </PageFrame>
    </EnvironmentContext>
  )
}

function Screen({ page, session }: { page: PageData; session: PageSession }) {
  const transaction = transactionOf(page.path)
  if (transaction !== undefined) return <TransactionPage hash={transaction} />
  return page.path === SECURITY_PATH ? (
    <Security page={page} session={session} />
  ) : (
    <Dashboard page={page} session={session} />
  )
}
