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
import { loadProviderLogin, loginServices } from './login.services.ts'
import { LoginView } from './login.view.tsx'

/** The login page and its modals. */
export function Login({ page, query }: { page: PageData; query: URLSearchParams }) {
  const environment = useEnvironment()
  const { storage, clock, botCheck, recordExposure, reportError } = environment
  const company = hyphenatedName(page.organization.orgMetaData.companyInfo)
  const content = loginPage(company, page.behaviors, query)
  const sendsImmediately = content.sendsImmediately && emailError(content.email) === undefined
  // A mailed link only names the provider: mail scanners open links too, so a press opens it.
  const named = page.providers.find(({ userType }) => userType === query.get('provider'))
  const [state, send] = useFlow(login, {
    input: {
      sendTo: sendsImmediately ? content.email : undefined,
      offersCode: content.offersCode,
    },
    services: loginServices({ ...environment, email: content.email, providers: page.providers }),
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
        login={content}
        named={named}
        providers={page.providers.filter((provider) => provider.offered && provider !== named)}
        company={company}
        botCheck={page.botCheck.kind}
        supportPhone={supportPhone}
        onIntent={() => {
          botCheck.prepare()
          OneTimeCodeModal.preload()
          if (page.providers.length > 0) void loadProviderLogin().catch(() => undefined)
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
            pendingCode(storage, clock).write({ purpose, email: state.email, loginUuid })
          }}
          onResult={(result) =>
            send(
              result.kind === 'closed'
                ? { type: 'codeClosed' }
                : { type: 'codeRedeemed', outcome: result.outcome, newUser: content.newUser },
            )
          }
        />
      )}
      {state.step === 'secondFactor' && (
        <SecondFactor
          login={{ method: state.method, email: state.email, newUser: state.newUser }}
          options={state.options}
          position={state.position}
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
          occasion={state.first ? 'first' : 'reset'}
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
