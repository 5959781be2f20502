import { PARTNER_ONBOARDING_PATH, ROUTER_BASE, SSO_SETUP_PATH } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { ErrorBoundary } from '@portico/shell/error-boundary'
import { LoadModuleContext, lazyComponent } from '@portico/shell/lazy-component'
import { PageFrame } from '@portico/shell/page-frame'
import { SignedInFrame } from '@portico/shell/signed-in-frame'
import { ViewingStrip } from '@portico/shell/viewing-strip'
import { Waiting } from '@portico/shell/waiting'
import { ToastProvider } from '@portico/ui/toast'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import { type Environment, EnvironmentContext, useEnvironment } from './environment.ts'
import { LoginEntry } from './login-entry/login-entry.tsx'
import { Logout } from './logout/logout.tsx'
import { Registration } from './registration/registration.tsx'
import { isLoginArea, pathUnderBase, redirectPath, screenOf, titleOf } from './routes.ts'

const ConfirmLogin = lazyComponent(async () => {
  const { ConfirmLogin } = await import('./confirm-login/confirm-login.tsx')
  return ConfirmLogin
})
const Gatekeeper = lazyComponent(async () => {
  const { Gatekeeper } = await import('./gatekeeper/gatekeeper.tsx')
  return Gatekeeper
})
const PartnerOnboarding = lazyComponent(async () => {
  const { PartnerOnboarding } = await import('./partner-onboarding/partner-onboarding.tsx')
  return PartnerOnboarding
})
const ProviderLogin = lazyComponent(async () => {
  const { ProviderLogin } = await import('./provider-login/provider-login.tsx')
  return ProviderLogin
})
const SsoSetup = lazyComponent(async () => {
  const { SsoSetup } = await import('./sso-setup/sso-setup.tsx')
  return SsoSetup
})
const WalletScreens = lazyComponent(async () => {
  const { WalletScreens } = await import('./wallet/wallet.tsx')
  return WalletScreens
})

/** The root component, rendered by the server and hydrated in the browser. */
export function Application({ page, environment }: { page: PageData; environment: Environment }) {
  return (
    <EnvironmentContext value={environment}>
      <Router base={ROUTER_BASE} ssrPath={page.path} ssrSearch={page.query}>
        <Frame page={page} environment={environment}>
          <ErrorBoundary
            supportPhone={page.supportPhone}
            supportEmail={page.organization.orgMetaData.companyInfo.supportEmail}
            signedIn={page.session !== null}
            onRetry={environment.reload}
          >
            <LoadModuleContext value={environment.loadModule}>
              <ToastProvider>
                <Screen page={page} />
              </ToastProvider>
            </LoadModuleContext>
          </ErrorBoundary>
        </Frame>
      </Router>
    </EnvironmentContext>
  )
}

/** The login layout, or the wider application layout for setting up single sign-on. */
function Frame({
  page,
  environment,
  children,
}: {
  page: PageData
  environment: Environment
  children: ReactNode
}) {
  const path = pathUnderBase(page.path)
  const { email, impersonation: viewing } = page.session ?? { email: '' }
  const strip = viewing && (
    <ViewingStrip
      email={email}
      viewing={viewing}
      environment={environment}
      leave={environment.navigate}
    />
  )
  if (path === SSO_SETUP_PATH) {
    return (
      <SignedInFrame page={page} strip={strip} navigation={[]}>
        {children}
      </SignedInFrame>
    )
  }
  return (
    <PageFrame
      page={page}
      strip={strip}
      banners={isLoginArea(page.path) ? 'login' : undefined}
      coBranded={path === PARTNER_ONBOARDING_PATH}
    >
      {children}
    </PageFrame>
  )
}

function Screen({ page }: { page: PageData }) {
  const [path] = useLocation()
  // Not the router's own hook, which decodes the query: URLSearchParams would decode it a second time.
  const search = useSearch({ ssrSearch: page.query }).replace(/^\?/, '')
  usePageView(path, page.organization.orgMetaData.companyInfo.name)
  useReloadOnLogin(page)
  const query = new URLSearchParams(search)
  const hydrated = useHydrated()
  const screen = screenOf(path)
  switch (screen) {
    case '/login':
      if (!isProviderReturn(page, query)) return <LoginEntry page={page} query={query} />
      return hydrated ? <ProviderLogin page={page} query={query} /> : <Waiting />
    case '/confirm':
      return hydrated ? <ConfirmLogin page={page} query={query} /> : <Waiting />
    case '/register':
      return <Registration page={page} query={query} />
    case PARTNER_ONBOARDING_PATH:
      return hydrated ? <PartnerOnboarding page={page} query={query} /> : <Waiting />
    case '/logout':
      return <Logout page={page} />
    case '/gatekeeper':
      return hydrated ? <Gatekeeper supportPhone={page.supportPhone} /> : <Waiting />
    case SSO_SETUP_PATH:
      return hydrated ? <SsoSetup page={page} query={query} /> : <Waiting />
    case undefined:
      return <Redirect to={`${redirectPath(path)}${search === '' ? '' : `?${search}`}`} replace />
    default:
      return hydrated ? (
        <WalletScreens page={page} screen={screen} path={path} query={query} />
      ) : (
        <Waiting />
      )
  }
}

/**
 * Whether an identity provider returned the user: with a session, for our second step, or to connect an account (§4.4). For a
 * state that is not this browser's, the rules of the login page's entry apply.
 */
function isProviderReturn(page: PageData, query: URLSearchParams): boolean {
  return page.isProviderReturn === true && query.has('state')
}

const neverChanges = () => () => undefined

/** Whether hydration is complete. Some screens depend on the browser and cannot be rendered by the server. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
}

/** Records the page view. After a client-side navigation, also sets the title and focuses the new heading. */
function usePageView(path: string, company: string): void {
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

/** Reloads once another tab has logged in, unless a registration form holds input that a reload would discard. */
function useReloadOnLogin({ session }: PageData): void {
  const { jwt, reload } = useEnvironment()
  useEffect(() => {
    if (session !== null) return
    return jwt.watch((stored) => {
      if (stored && !isRegistering()) reload()
    })
  }, [session, jwt, reload])
}

function isRegistering(): boolean {
  const fields = document.querySelectorAll('input')
  return (
    location.pathname.endsWith('/register') &&
    [...fields].some(({ value, defaultValue }) => value !== defaultValue)
  )
}
