import {
  beginEmailChange,
  beginPhone,
  beginTotp,
  confirmEmailChange,
  confirmIdentity,
  confirmPhone,
  confirmTotp,
  deleteOwnAccount,
  disconnectProvider,
  endSessions,
  exportAccountData,
  makeRecoveryCodes,
  QUESTION_CATALOG,
  readPasskeyConfirmation,
  readQuestionCatalog,
  readSecurity,
  removePhone,
  removeTotp,
  sendConfirmation,
  setEmailFactor,
  setQuestions,
} from '@portico/contracts/account-security'
import type { Clock } from '../../clock.ts'
import { COSTLY } from '../../http/rate-limits.ts'
import { type Edge, serve } from '../../http/serve.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AllStores } from '../../stores.ts'
import { passkeyChecks } from '../passkeys/passkey-checks.ts'
import { passkeyConfirmation } from '../passkeys/passkey-confirmation.ts'
import { deleteAccount, exportAccount, type ListPassports } from './account-data.ts'
import { confirmSession, sendConfirmationCode } from './confirmation.ts'
import { emailChange } from './email-change.ts'
import { endOwnSessions } from './end-sessions.ts'
import { securityOverview } from './overview.ts'
import { phoneSetup } from './phone-setup.ts'
import { recoverySetup } from './recovery-setup.ts'
import { securityChange } from './security-change.ts'
import { totpSetup } from './totp-setup.ts'

interface AccountSecurityDeps {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Outbox
  readonly listPassports: ListPassports
  /** Removes a file from file storage, now or later. */
  readonly removeFile: (fileId: string) => Promise<void>
}

export function accountSecurity(edge: Edge, baseDeps: AccountSecurityDeps): void {
  const change = securityChange(baseDeps)
  const deps = { ...baseDeps, change }
  const totp = totpSetup(deps)
  const phone = phoneSetup(deps)
  const recovery = recoverySetup(deps)
  const overview = securityOverview(deps)
  const send = sendConfirmationCode(deps)
  const passkey = passkeyConfirmation({ ...deps, checks: passkeyChecks(deps) })
  const confirm = confirmSession({ ...deps, passkey })
  const end = endOwnSessions(deps)
  const email = emailChange(deps)
  const exportData = exportAccount({ ...deps, overview })
  const remove = deleteAccount(deps)

  serve(edge, readSecurity, ({ session }) => overview(session))
  serve(edge, sendConfirmation, ({ session, visitor }) => send(session, visitor), COSTLY)
  serve(
    edge,
    readPasskeyConfirmation,
    ({ session, visitor }) => passkey.begin(session, visitor),
    COSTLY,
  )
  serve(
    edge,
    confirmIdentity,
    ({ body, query, session, visitor }) =>
      confirm(body, { session, visitor, approval: query.approval }),
    COSTLY,
  )
  serve(edge, beginTotp, ({ session, visitor }) => totp.begin(session, visitor))
  serve(
    edge,
    confirmTotp,
    ({ body, session, visitor }) => totp.confirm(body.code, session, visitor),
    COSTLY,
  )
  serve(edge, removeTotp, ({ session, visitor }) => totp.remove(session, visitor))
  serve(edge, setEmailFactor, ({ body, session, visitor }) =>
    change(session, visitor, {
      kind: body.enabled ? 'email-factor-on' : 'email-factor-off',
      addsFactor: body.enabled,
      description: `codes by email as a second factor were switched ${body.enabled ? 'on' : 'off'}.`,
      apply: ({ identities }, at) =>
        identities.updateEmailFactor(session.identityId, body.enabled ? at : null),
    }),
  )
  serve(
    edge,
    beginPhone,
    ({ body, session, visitor }) => phone.begin(body.phone, session, visitor),
    COSTLY,
  )
  serve(
    edge,
    confirmPhone,
    ({ body, session, visitor }) => phone.confirm(body, session, visitor),
    COSTLY,
  )
  serve(edge, removePhone, ({ body, session, visitor }) =>
    phone.remove(body.alias, session, visitor),
  )
  serve(edge, readQuestionCatalog, async () => [...QUESTION_CATALOG])
  serve(
    edge,
    setQuestions,
    ({ body, session, visitor }) => recovery.setQuestions(body.answers, session, visitor),
    COSTLY,
  )
  serve(edge, makeRecoveryCodes, ({ session, visitor }) => recovery.makeCodes(session, visitor))
  serve(
    edge,
    beginEmailChange,
    ({ body, session, visitor }) => email.begin(body.email, session, visitor),
    COSTLY,
  )
  serve(
    edge,
    confirmEmailChange,
    ({ body, session, visitor }) => email.confirm(body, session, visitor),
    COSTLY,
  )
  serve(edge, exportAccountData, ({ session, visitor }) => exportData(session, visitor), COSTLY)
  serve(
    edge,
    deleteOwnAccount,
    ({ body, session, visitor }) => remove(body, session, visitor),
    COSTLY,
  )
  serve(edge, disconnectProvider, ({ body, session, visitor }) =>
    change(session, visitor, {
      kind: 'provider-unlinked',
      description: 'the login of your organization was disconnected.',
      async apply({ directoryUsers, providers, sessions }, at) {
        if (!(await providers.deleteSubjects(session.identityId, body.uuid))) return false
        await directoryUsers.disconnect(session.identityId, body.uuid)
        await sessions.endOfProviders(session.identityId, at, session.id)
        return true
      },
    }),
  )
  serve(edge, endSessions, ({ body, session, visitor }) => end(body, session, visitor))
}
