import type { PageData, PageSession } from '@portico/contracts/page-data'
import { pathAndQuery } from '@portico/rules/wallet-redirects'
import { ErrorBoundary } from '@portico/shell/error-boundary'
import { useInternalLinks } from '@portico/shell/internal-links'
import { LoadModuleContext } from '@portico/shell/lazy-component'
import { PageFrame } from '@portico/shell/page-frame'
import { ToastProvider } from '@portico/ui/toast'
import { Accounts } from './accounts/accounts.tsx'
import { ActingAccountProvider } from './acting-account/acting-account.tsx'
import { Activity } from './activity/activity.tsx'
import { type Environment, EnvironmentContext, useEnvironment } from './environment.ts'
import { Home } from './home/home.tsx'
import { NotFound } from './not-found/not-found.tsx'
import { openPage, opensInPlace, useCurrentPath, usePageView } from './page-location.ts'
import { Passport } from './passport/passport.tsx'
import { NotViewedPassport, NotViewedWallet, ReadOnly } from './read-only/read-only.tsx'
import { Reviews } from './reviews/reviews.tsx'
import { routeOf, transactionOf, WALLET_PATH } from './routes.ts'
import { Security } from './security/security.tsx'
import { SignedIn } from './signed-in/signed-in.tsx'
import { TransactionPage } from './transaction/transaction.tsx'
import { Wallet } from './wallet/wallet.tsx'

/** Whether the portal has a page for this request; all its pages require a session, and some a role. */
export function isFound({ path, session }: PageData): boolean {
  const section = routeOf(path)?.section
  if (section === undefined || session === null) return false
  return section !== 'reviews' || session.isReviewer === true
}

/** The root component, rendered by the server and hydrated in the browser. */
export function Application({ page, environment }: { page: PageData; environment: Environment }) {
  const { session } = page
  return (
    <EnvironmentContext value={environment}>
      <LoadModuleContext value={environment.loadModule}>
        <ToastProvider>
          {session === null ? (
            <PageFrame page={page}>
              <NotFound signedIn={false} />
            </PageFrame>
          ) : (
            <SignedInPages page={page} session={session} />
          )}
        </ToastProvider>
      </LoadModuleContext>
    </EnvironmentContext>
  )
}

function SignedInPages({ page, session }: { page: PageData; session: PageSession }) {
  const { reload } = useEnvironment()
  const { companyInfo } = page.organization.orgMetaData
  const here = useCurrentPath(page)
  useInternalLinks(opensInPlace, openPage)
  usePageView(here.path, companyInfo.name)
  return (
    <ActingAccountProvider here={pathAndQuery(here)}>
      <SignedIn page={page} session={session} here={here}>
        <ErrorBoundary
          // An error of one page is not shown on another.
          key={here.path}
          supportPhone={page.supportPhone}
          supportEmail={companyInfo.supportEmail}
          signedIn
          onRetry={reload}
        >
          <ReadOnly session={session} path={here.path}>
            <Screen page={{ ...page, ...here }} session={session} />
          </ReadOnly>
        </ErrorBoundary>
      </SignedIn>
    </ActingAccountProvider>
  )
}

/** `page` has the current path and query. */
function Screen({ page, session }: { page: PageData; session: PageSession }) {
  if (!isFound(page)) return <NotFound signedIn />
  const transaction = transactionOf(page.path)
  if (transaction !== undefined) return <TransactionPage hash={transaction} />
  switch (routeOf(page.path)?.section) {
    case 'home':
      return <Home />
    case 'accounts':
      if (page.path !== WALLET_PATH) return <Accounts supportPhone={page.supportPhone} />
      return session.impersonation === undefined ? <Wallet /> : <NotViewedWallet />
    case 'passport':
      if (session.impersonation !== undefined) return <NotViewedPassport />
      return <Passport page={page} session={session} />
    case 'reviews':
      return <Reviews page={page} />
    case 'activity':
      return <Activity />
    case 'security':
      return <Security page={page} session={session} />
    case undefined:
      return <NotFound signedIn />
  }
}
