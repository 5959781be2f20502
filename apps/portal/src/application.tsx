import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { ErrorBoundary } from '@portico/shell/error-boundary'
import { PageFrame } from '@portico/shell/page-frame'
import { Dashboard } from './dashboard/dashboard.tsx'
import { type Environment, EnvironmentContext } from './environment.ts'
import { NotFound } from './not-found/not-found.tsx'

/** Whether the portal has a page for this request; the dashboard is for the signed-in. */
export function isFound({ path, session }: PageData): boolean {
  return path === DEFAULT_REDIRECT && session !== null
}

/** The portal, on the server and in the browser. */
export function Application({ page, environment }: { page: PageData; environment: Environment }) {
  const { session, supportPhone } = page
  return (
    <EnvironmentContext value={environment}>
      <PageFrame page={page}>
        <ErrorBoundary
          supportPhone={supportPhone}
          supportEmail={page.organization.orgMetaData.companyInfo.supportEmail}
          signedIn={session !== null}
          onRetry={environment.reload}
        >
          {isFound(page) && session !== null ? (
            <Dashboard page={page} session={session} />
          ) : (
            <NotFound signedIn={session !== null} />
          )}
        </ErrorBoundary>
      </PageFrame>
    </EnvironmentContext>
  )
}
