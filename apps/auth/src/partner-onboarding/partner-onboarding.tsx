import { PARTNER_ONBOARDING_PATH, ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { partnerCodeError } from '@portico/rules/field-errors'
import { NewPasswordForm } from '@portico/shell/new-password'
import { Waiting } from '@portico/shell/waiting'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { BotCheckNotice } from '../bot-check-notice/bot-check-notice.tsx'
import { useEnvironment } from '../environment.ts'
import { OneTimeCode } from '../one-time-code/one-time-code.tsx'
import { Redirecting } from '../redirecting/redirecting.tsx'
import { Registration } from '../registration/registration.tsx'
import { SecondFactor } from '../second-factor.tsx'
import { SessionStart } from '../session-start/session-start.tsx'
import { type Arrival, arrivalOf, queryAfter } from './arrival.ts'
import { partnerOnboarding } from './partner-onboarding.flow.ts'
import {
  firstFailureOf,
  partnerOnboardingServices,
  sendAnother,
} from './partner-onboarding.services.ts'
import { codePrompt, PartnerOnboardingView } from './partner-onboarding.view.tsx'

/**
 * The page for borrowers referred by a partner (§2.5, §4.7). A borrower outside the experiment, or one the URL does not
 * identify, gets the regular registration. A link with a login UUID always continues that login, in any browser.
 */
export function PartnerOnboarding({ page, query }: { page: PageData; query: URLSearchParams }) {
  const [arrival] = useState(() => arrivalOf(query, page.organization.orgCode))
  const simplified = page.decisions['partner-simplified-onboarding'] === true
  const { recordExposure } = useEnvironment()
  // With a login UUID the variant makes no difference, so no exposure is recorded.
  const isExposed = arrival !== undefined && arrival.loginUuid === undefined
  useEffect(() => {
    if (isExposed) recordExposure('partner-simplified-onboarding')
  }, [isExposed, recordExposure])
  return arrival !== undefined && (simplified || arrival.loginUuid !== undefined) ? (
    <SimplifiedOnboarding page={page} query={query} arrival={arrival} />
  ) : (
    <Registration page={page} query={queryAfter(query)} />
  )
}

function SimplifiedOnboarding({
  page,
  query,
  arrival,
}: {
  page: PageData
  query: URLSearchParams
  arrival: Arrival
}) {
  const environment = useEnvironment()
  const [, navigate] = useLocation()
  const [state, send] = useFlow(partnerOnboarding, {
    input: arrival,
    services: partnerOnboardingServices({
      ...environment,
      hasSession: page.session !== null,
      replaceQuery: (next) => navigate(`${PARTNER_ONBOARDING_PATH}?${next}`, { replace: true }),
    }),
    report: environment.reportError,
  })
  // Following the emailed link again in this tab changes only the fragment, which does not reload the page.
  const { reload } = environment
  useEffect(() => {
    addEventListener('hashchange', reload)
    return () => removeEventListener('hashchange', reload)
  }, [reload])
  const { supportPhone } = page
  const { name } = page.organization.orgMetaData.companyInfo
  const after = queryAfter(query)
  const withoutEmail = new URLSearchParams(after)
  withoutEmail.delete('email')
  return (
    <PartnerOnboardingView
      state={state}
      send={send}
      company={name}
      registerHref={`${ROUTER_BASE}/register?${withoutEmail}`}
      loginHref={`${ROUTER_BASE}/login?${after}`}
      supportPhone={supportPhone}
    >
      {state.step === 'code' && (
        <OneTimeCode
          email={state.borrower.email ?? ''}
          loginUuid={state.loginUuid}
          justSent={state.justSent}
          codeError={partnerCodeError}
          prompt={codePrompt(state.borrower.email, name)}
          sendAnother={(signal) => sendAnother(environment, state.borrower, signal)}
          redeemFailureOf={firstFailureOf}
          supportPhone={supportPhone}
          onResent={(loginUuid) => send({ type: 'codeResent', loginUuid })}
          onResult={(result) =>
            send(
              result.kind === 'closed'
                ? { type: 'codeClosed' }
                : { type: 'codeRedeemed', outcome: result.outcome },
            )
          }
        />
      )}
      {state.step === 'code' && <BotCheckNotice kind={page.botCheck.kind} />}
      {state.step === 'secondFactor' && (
        <SecondFactor options={state.options} supportPhone={supportPhone} send={send} />
      )}
      {(state.step === 'checking' || state.step === 'startingSession') && <Waiting />}
      {state.step === 'password' && (
        <NewPasswordForm
          client={environment.client}
          reportError={environment.reportError}
          jwt={state.jwt}
          email={state.email}
          supportPhone={supportPhone}
          button={{ label: 'Create password', busyLabel: 'Creating your password…' }}
          onResult={() => send({ type: 'passwordSet' })}
        />
      )}
      {state.step === 'startingSession' && (
        <SessionStart
          jwt={state.jwt}
          email={state.email}
          query={after}
          supportPhone={supportPhone}
          onFailed={(failure) => send({ type: 'refused', failure })}
        />
      )}
      {state.step === 'redirecting' && <Redirecting />}
    </PartnerOnboardingView>
  )
}
