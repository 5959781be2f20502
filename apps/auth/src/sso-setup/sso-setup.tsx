import { UserType } from '@portico/contracts/broker'
import { SSO_SETUP_PATH } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { hyphenatedName } from '@portico/rules/branding'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../environment.ts'
import { type SetupStep, shownStep } from './setup-steps.ts'
import { ssoSetup } from './sso-setup.flow.ts'
import { ssoSetupServices } from './sso-setup.services.ts'
import { SsoSetupView } from './sso-setup.view.tsx'

/** Sets up the identity provider of the page's organization. The address names the step, for Back and reloading. */
export function SsoSetup({ page, query }: { page: PageData; query: URLSearchParams }) {
  const { client, clock, location, navigate, reportError } = useEnvironment()
  const [, openPath] = useLocation()
  const [token] = useState(
    () => new URLSearchParams(location().hash.slice(1)).get('token') ?? undefined,
  )
  const { orgCode } = page.organization
  const userType = UserType.safeParse(query.get('userType')).data ?? 'customer'
  const openStep = (step: SetupStep, userType: UserType, options?: { replace: boolean }) =>
    openPath(`${SSO_SETUP_PATH}?${new URLSearchParams({ orgCode, userType, step })}`, options)
  const [state, send] = useFlow(ssoSetup, {
    input: { token },
    services: ssoSetupServices({ client, navigate, userType, openStep }),
    report: reportError,
  })
  // Back from the provider may show the page as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) send({ type: 'retried' })
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [send])
  const at = 'setup' in state ? shownStep(state.setup, query.get('step')) : 'provider'
  return (
    <SsoSetupView
      state={state}
      send={send}
      at={at}
      onStep={(step) => openStep(step, 'setup' in state ? state.setup.userType : userType)}
      company={hyphenatedName(page.organization.orgMetaData.companyInfo)}
      now={clock()}
      supportPhone={page.supportPhone}
    />
  )
}
