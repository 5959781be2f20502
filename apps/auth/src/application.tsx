import { PARTNER_ONBOARDING_PATH, ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { ErrorBoundary } from '@portico/shell/error-boundary'
import { PageFrame } from '@portico/shell/page-frame'
import { LoadPartContext, part } from '@portico/shell/part'
import { Waiting } from '@portico/shell/waiting'
import { ToastProvider } from '@portico/ui/toast'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import { type Environment, EnvironmentContext, useEnvironment } from './environment.ts'
import { LoginEntry } from './login-entry/login-entry.tsx'
import { Logout } from './logout/logout.tsx'
import { Registration } from './registration/registration.tsx'
import { elsewhere, isLoginArea, pathUnderBase, screenOf, titleOf } from './routes.ts'

const PartnerOnboarding = part(async () => {
  const { PartnerOnboarding } = await import('./partner-onboarding/partner-onboarding.tsx')
  return PartnerOnboarding
})
const WalletScreens = part(async () => {
  const { WalletScreens } = await import('./wallet/wallet.tsx')
  return WalletScreens
})

/** The application, on the server and in the browser. */
export function Application({ page, environment }: { page: PageData; environment: Environment }) {
  return (
    <EnvironmentContext value={environment}>
      <Router base={ROUTER_BASE} ssrPath={page.path} ssrSearch={page.query}>
        <PageFrame
          page={page}
          banners={isLoginArea(page.path) ? 'login' : undefined}
          partnered={pathUnderBase(page.path) === PARTNER_ONBOARDING_PATH}
        >
          <ErrorBoundary
            supportPhone={page.supportPhone}
            supportEmail={page.organization.orgMetaData.companyInfo.supportEmail}
            signedIn={page.session !== null}
            onRetry={environment.reload}
          >
            <LoadPartContext value={environment.loadPart}>
              <ToastProvider>
                <Screen page={page} />
              </ToastProvider>
            </LoadPartContext>
          </ErrorBoundary>
        </PageFrame>
      </Router>
    </EnvironmentContext>
  )
}

function Screen({ page }: { page: PageData }) {
  const [path] = useLocation()
  // Not the router's own hook, which decodes the query: URLSearchParams would decode it a second time.
  const search = useSearch({ ssrSearch: page.query }).replace(/^\?/, '')
  useArrival(path, page.organization.orgMetaData.companyInfo.name)
  useOtherTabs(page)
  const query = new URLSearchParams(search)
  const arrived = useArrived()
  const screen = screenOf(path)
  switch (screen) {
    case '/login':
      return <LoginEntry page={page} query={query} />
    case '/register':
      return <Registration page={page} query={query} />
    case PARTNER_ONBOARDING_PATH:
      return arrived ? <PartnerOnboarding page={page} query={query} /> : <Waiting />
    case '/logout':
      return <Logout />
    case undefined:
      return <Redirect to={`${elsewhere(path)}${search === '' ? '' : `?${search}`}`} replace />
    default:
      return arrived ? (
        <WalletScreens page={page} screen={screen} path={path} query={query} />
      ) : (
        <Waiting />
      )
  }
}

const never = () => () => undefined

/** Whether this is a browser by now: what the server cannot render comes after the page was taken over. */
function useArrived(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Tells of the page view; after the first page also sets the title and takes the focus to the new heading. */
function useArrival(path: string, company: string): void {
  const { telemetry } = useEnvironment()
  const first = useRef(path)
  useEffect(() => {
    telemetry.pageViewed(`${ROUTER_BASE}${path}`)
    const screen = screenOf(path)
    if (path === first.current || screen === undefined) return
    first.current = ''
    document.title = titleOf(screen, company)
    document.querySelector<HTMLElement>('h1')?.focus()
  }, [path, company, telemetry])
}

/** Continues, by way of the server, as soon as another tab has signed in; not over a registration that is being filled in. */
function useOtherTabs({ session }: PageData): void {
  const { jwt, reload } = useEnvironment()
  useEffect(() => {
    if (session !== null) return
    return jwt.watch((stored) => {
      if (stored && !isRegistering()) reload()
    })
  }, [session, jwt, reload])
}

/** Whether a registration has something typed in that a reload would throw away. */
function isRegistering(): boolean {
  const fields = document.querySelectorAll('input')
  return (
    location.pathname.endsWith('/register') &&
    [...fields].some(({ value, defaultValue }) => value !== defaultValue)
  )
}
