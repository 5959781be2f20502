import { ApiError } from '@portico/client/api-error'
import { readIdentity } from '@portico/contracts/identity'
import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PageData, PageSession } from '@portico/contracts/page-data'
import { type Here, loginPathBefore, pathAndQuery } from '@portico/rules/wallet-redirects'
import { SignedInFrame } from '@portico/shell/signed-in-frame'
import { useLoad } from '@portico/shell/use-call'
import { personPath, ViewingStrip } from '@portico/shell/viewing-strip'
import type { NavigationItem } from '@portico/ui/app-frame'
import { type ReactNode, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { AccountSwitcher } from '../account-switcher/account-switcher.tsx'
import { useEnvironment } from '../environment.ts'
import {
  ACCOUNTS_PATH,
  ACTIVITY_PATH,
  PASSPORT_PATH,
  REVIEWS_PATH,
  routeOf,
  SECURITY_PATH,
  type Section,
} from '../routes.ts'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Help } from './help.tsx'

const NAVIGATION: readonly (NavigationItem & { section: Section })[] = [
  { section: 'home', label: 'Home', href: DEFAULT_REDIRECT, icon: 'home' },
  { section: 'accounts', label: 'Accounts', href: ACCOUNTS_PATH, icon: 'wallet' },
  { section: 'passport', label: 'Passport', href: PASSPORT_PATH, icon: 'passport' },
  { section: 'reviews', label: 'Reviews', href: REVIEWS_PATH, icon: 'review' },
  { section: 'activity', label: 'Activity', href: ACTIVITY_PATH, icon: 'activity' },
  { section: 'security', label: 'Security', href: SECURITY_PATH, icon: 'shield' },
]

export type SignedInProps = {
  page: PageData
  session: PageSession
  /** The current path and query. */
  here: Here
  children: ReactNode
}

/**
 * The frame of all signed-in pages: navigation, account switcher, help and account menu. The identity call verifies the
 * rendered session; without a session the page redirects to the login page.
 */
export function SignedIn({ page, session, here, children }: SignedInProps) {
  const environment = useEnvironment()
  const { jwt, network, replace } = environment
  const viewing = session.impersonation
  const leave = () =>
    replace(viewing === undefined ? loginPathBefore(pathAndQuery(here)) : personPath(viewing))
  const logIn = useEffectEvent(leave)
  // Another tab may log out at any time.
  useEffect(() => jwt.watch((stored) => stored || logIn()), [jwt])
  const { failure, retry, reload } = useVerifiedSession(leave)
  const isOnline = useSyncExternalStore(network.watch, network.isOnline, () => true)
  const verifyAgain = useEffectEvent(() => failure && retry())
  useEffect(() => {
    if (isOnline) verifyAgain()
  }, [isOnline])
  // The view may end at any time; the next page returns to the console.
  const verifyView = useEffectEvent(() => viewing && reload())
  const verifiedPath = useRef(here.path)
  useEffect(() => {
    if (verifiedPath.current === here.path) return
    verifiedPath.current = here.path
    verifyView()
  }, [here.path])
  return (
    <SignedInView
      page={page}
      session={session}
      here={here}
      strip={
        viewing && (
          <ViewingStrip
            email={session.email}
            viewing={viewing}
            environment={environment}
            leave={replace}
          />
        )
      }
      switcher={<AccountSwitcher />}
      notice={
        !isOnline ? (
          <ConnectionNotice kind="offline" />
        ) : (
          failure && <ConnectionNotice kind="unreachable" onRetry={retry} />
        )
      }
    >
      {children}
    </SignedInView>
  )
}

/** Verifies the session. Without one it calls `logIn`; if the server does not respond, it fails. */
function useVerifiedSession(logIn: () => void) {
  const { client, reportError } = useEnvironment()
  return useLoad(async (signal) => {
    try {
      await client(readIdentity, { signal })
    } catch (error) {
      if (isUnauthenticated(error)) return logIn()
      // An error response is a defect; a missing connection is not.
      if (error instanceof ApiError && error.response !== undefined) reportError(error)
      throw error
    }
  }, reportError)
}

/** The frame of a signed-in page; `notice` is above its content. */
export function SignedInView({
  page,
  session,
  here: { path },
  strip,
  switcher,
  notice,
  children,
}: SignedInProps & { strip?: ReactNode; switcher: ReactNode; notice?: ReactNode }) {
  const section = routeOf(path)?.section
  return (
    <SignedInFrame
      strip={strip}
      page={page}
      banners={path === DEFAULT_REDIRECT ? 'dashboard' : undefined}
      width={section === 'security' ? 'settings' : 'standard'}
      navigation={NAVIGATION.filter((item) => item.section !== 'reviews' || session.isReviewer).map(
        (item) => ({
          ...item,
          current: item.href === path ? 'page' : item.section === section ? 'section' : undefined,
        }),
      )}
      switcher={switcher}
      tools={
        <>
          <Help page={page} />
          <AccountMenu session={session} />
        </>
      }
    >
      {notice}
      {children}
    </SignedInFrame>
  )
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}
