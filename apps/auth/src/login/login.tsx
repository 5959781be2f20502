import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { hyphenatedName } from '@portico/rules/branding'
import { emailError, loginPasscodeError } from '@portico/rules/field-errors'
import { loginPage } from '@portico/rules/login-page'
import { useEffect } from 'react'
import { useEnvironment } from '../environment.ts'
import { NewPasswordModal, OneTimeCodeModal, Redirecting } from '../lazy-components.ts'
import { pendingCode } from '../pending-code.ts'
import { SecondFactor } from '../second-factor.tsx'
import { SessionStart } from '../session-start/session-start.tsx'
import { login } from './login.flow.ts'
import { loginServices } from './login.services.ts'
import { LoginView } from './login.view.tsx'

/** The login page and its modals. */
export function Login({ page, query }: { page: PageData; query: URLSearchParams }) {
  const environment = useEnvironment()
  const { storage, clock, botCheck, recordExposure, reportError } = environment
  const company = hyphenatedName(page.organization.orgMetaData.companyInfo)
  const words = loginPage(company, page.behaviors, query)
  const sendsImmediately = words.sendsImmediately && emailError(words.email) === undefined
  const [state, send] = useFlow(login, {
    input: { sendTo: sendsImmediately ? words.email : undefined },
    services: loginServices({ ...environment, email: words.email, providers: page.providers }),
    report: reportError,
  })
  const { supportPhone, loginExperiments } = page
  useEffect(() => {
    for (const key of loginExperiments) recordExposure(key)
  }, [loginExperiments, recordExposure])
  return (
    <>
      <LoginView
        state={state}
        send={send}
        login={words}
        providers={page.providers}
        company={company}
        botCheck={page.botCheck.kind}
        supportPhone={supportPhone}
        onIntent={() => {
          botCheck.prepare()
          OneTimeCodeModal.preload()
          send({ type: 'userEngaged' })
        }}
      />
      {state.step === 'enteringCode' && (
        <OneTimeCodeModal
          email={state.email}
          loginUuid={state.loginUuid}
          justSent={state.justSent}
          codeError={loginPasscodeError}
          supportPhone={supportPhone}
          onResent={(loginUuid) => {
            const purpose = state.method === 'forgotten' ? 'forgotten' : 'login'
            pendingCode(storage, clock).keep({ purpose, email: state.email, loginUuid })
          }}
          onResult={(result) =>
            send(
              result.kind === 'closed'
                ? { type: 'codeClosed' }
                : { type: 'codeRedeemed', outcome: result.outcome, newUser: words.newUser },
            )
          }
        />
      )}
      {state.step === 'secondFactor' && (
        <SecondFactor
          login={{ method: state.method, email: state.email, newUser: state.newUser }}
          options={state.options}
          place={state.place}
          supportPhone={supportPhone}
          send={send}
        />
      )}
      {state.step === 'choosingPassword' && (
        <NewPasswordModal
          client={environment.client}
          reportError={environment.reportError}
          jwt={state.jwt}
          email={state.email}
          supportPhone={supportPhone}
          occasion={state.newUser ? 'first' : 'reset'}
          forced={false}
          onResult={() => send({ type: 'passwordClosed' })}
        />
      )}
      {state.step === 'startingSession' && (
        <SessionStart
          jwt={state.jwt}
          email={state.email}
          query={query}
          passwordOffered={state.passwordOffered ?? false}
          supportPhone={supportPhone}
          onFailed={(failure) => send({ type: 'refused', failure })}
        />
      )}
      {state.step === 'redirecting' && <Redirecting />}
    </>
  )
}
