import { actRequestsStore } from './admin/act-requests/act-requests.store.ts'
import { auditSearchStore } from './admin/audit/audit-search.store.ts'
import { bannerEditsStore } from './admin/banners/banner-edits.store.ts'
import { idempotencyKeysStore } from './admin/idempotency-keys.store.ts'
import { insightStore } from './admin/insight/insight.store.ts'
import { insightCountingStore } from './admin/insight/insight-counting.store.ts'
import { nodesStore } from './admin/operations/nodes.store.ts'
import { identityRolesStore } from './admin/operators/identity-roles.store.ts'
import { serviceTokensStore } from './admin/operators/service-tokens.store.ts'
import { brandEditsStore } from './admin/organizations/brand-edits.store.ts'
import { peopleStore } from './admin/people/people.store.ts'
import { publishedDataStore } from './admin/published-data.store.ts'
import { auditStore } from './audit/audit.store.ts'
import { auditChainStore } from './audit/audit-chain.store.ts'
import { providerLoginsStore } from './broker/provider-logins.store.ts'
import { providersStore } from './broker/providers.store.ts'
import { providerSetupsStore } from './broker/setup/provider-setups.store.ts'
import { providerTestsStore } from './broker/setup/provider-tests.store.ts'
import { setupLinksStore } from './broker/setup/setup-links.store.ts'
import type { Database } from './database/database.ts'
import { experimentRunsStore } from './experiments/experiment-runs.store.ts'
import { exposuresStore } from './experiments/exposures.store.ts'
import { accountDataStore } from './identity/account-security/account-data.store.ts'
import { emailChangesStore } from './identity/account-security/email-changes.store.ts'
import { identitiesStore } from './identity/identities.store.ts'
import { passcodesStore } from './identity/passcodes.store.ts'
import { passkeysStore } from './identity/passkeys/passkeys.store.ts'
import { registrationsStore } from './identity/registrations.store.ts'
import { rememberedDevicesStore } from './identity/remembered-devices.store.ts'
import { factorCodesStore } from './identity/two-factor/factor-codes.store.ts'
import { factorLoginsStore } from './identity/two-factor/factor-logins.store.ts'
import { recoveryCodesStore } from './identity/two-factor/recovery-codes.store.ts'
import { securityAnswersStore } from './identity/two-factor/security-answers.store.ts'
import { totpStore } from './identity/two-factor/totp.store.ts'
import { importedPeopleStore } from './import/imported-people.store.ts'
import { inquiriesStore } from './lead-portal/inquiries.store.ts'
import { queryParamsStore } from './lead-portal/query-params.store.ts'
import { countersStore } from './limits/counters.store.ts'
import { rateLimitRefusalsStore } from './limits/rate-limit-refusals.store.ts'
import { singleUseStore } from './limits/single-use.store.ts'
import { attemptsStore } from './lockout/attempts.store.ts'
import { lockoutLinksStore } from './lockout/lockout-links.store.ts'
import { wrongCodesStore } from './lockout/wrong-codes.store.ts'
import { messagesStore } from './mail/messages.store.ts'
import { openidStore } from './openid-provider/openid.store.ts'
import { passportFilesStore } from './passport/passport-files.store.ts'
import { passportMembersStore } from './passport/passport-members.store.ts'
import { passportReviewsStore } from './passport/passport-reviews.store.ts'
import { passportSectionsStore } from './passport/passport-sections.store.ts'
import { passportsStore } from './passport/passports.store.ts'
import { pushSubscriptionsStore } from './push/push-subscriptions.store.ts'
import { vapidKeysStore } from './push/vapid-keys.store.ts'
import { directoryGroupsStore } from './scim/directory-groups.store.ts'
import { directoryRefusalsStore } from './scim/directory-refusals.store.ts'
import { directoryTokensStore } from './scim/directory-tokens.store.ts'
import { directoryUsersStore } from './scim/directory-users.store.ts'
import { sessionsStore } from './sessions/sessions.store.ts'
import { shortLinksStore } from './short-links/short-links.store.ts'
import { telemetryStore } from './telemetry/telemetry.store.ts'
import { signingKeysStore } from './tokens/signing-keys.store.ts'
import { traced } from './tracing/tracing.ts'
import { accountsStore } from './wallet/accounts.store.ts'
import { approvalsStore } from './wallet/hosted/approvals.store.ts'
import { hostedKeysStore } from './wallet/hosted/hosted-keys.store.ts'
import { transfersStore } from './wallet/hosted/transfers.store.ts'
import { organizationInvitationsStore } from './wallet/organization/invitations.store.ts'
import { organizationDraftsStore } from './wallet/organization/organization-drafts.store.ts'
import { walletNoncesStore } from './wallet/wallet-nonces.store.ts'
import { walletsStore } from './wallet/wallets.store.ts'
import { webhookDeliveriesStore } from './webhooks/webhook-deliveries.store.ts'
import { webhookEndpointsStore } from './webhooks/webhook-endpoints.store.ts'

function storesOn(database: Database) {
  return {
    accountData: accountDataStore(database),
    accounts: accountsStore(database),
    actRequests: actRequestsStore(database),
    approvals: approvalsStore(database),
    audit: auditStore(database),
    bannerEdits: bannerEditsStore(database),
    brandEdits: brandEditsStore(database),
    auditChain: auditChainStore(database),
    auditSearch: auditSearchStore(database),
    counters: countersStore(database),
    devices: rememberedDevicesStore(database),
    directoryGroups: directoryGroupsStore(database),
    directoryTokens: directoryTokensStore(database),
    directoryUsers: directoryUsersStore(database),
    emailChanges: emailChangesStore(database),
    experimentRuns: experimentRunsStore(database),
    exposures: exposuresStore(database),
    factorCodes: factorCodesStore(database),
    factorLogins: factorLoginsStore(database),
    attempts: attemptsStore(database),
    hostedKeys: hostedKeysStore(database),
    idempotencyKeys: idempotencyKeysStore(database),
    identities: identitiesStore(database),
    identityRoles: identityRolesStore(database),
    importedPeople: importedPeopleStore(database),
    inquiries: inquiriesStore(database),
    insight: insightStore(database),
    insightCounting: insightCountingStore(database),
    lockoutLinks: lockoutLinksStore(database),
    messages: messagesStore(database),
    nodes: nodesStore(database),
    rateLimitRefusals: rateLimitRefusalsStore(database),
    directoryRefusals: directoryRefusalsStore(database),
    openid: openidStore(database),
    openidKeys: signingKeysStore(database, 'openidKeys'),
    organizationDrafts: organizationDraftsStore(database),
    organizationInvitations: organizationInvitationsStore(database),
    passcodes: passcodesStore(database),
    passkeys: passkeysStore(database),
    publishedData: publishedDataStore(database),
    providerLogins: providerLoginsStore(database),
    providers: providersStore(database),
    providerSetups: providerSetupsStore(database),
    providerTests: providerTestsStore(database),
    people: peopleStore(database),
    passportFiles: passportFilesStore(database),
    passportMembers: passportMembersStore(database),
    passportReviews: passportReviewsStore(database),
    passports: passportsStore(database),
    passportSections: passportSectionsStore(database),
    pushSubscriptions: pushSubscriptionsStore(database),
    queryParams: queryParamsStore(database),
    recoveryCodes: recoveryCodesStore(database),
    registrations: registrationsStore(database),
    securityAnswers: securityAnswersStore(database),
    serviceTokens: serviceTokensStore(database),
    sessions: sessionsStore(database),
    setupLinks: setupLinksStore(database),
    shortLinks: shortLinksStore(database),
    signingKeys: signingKeysStore(database, 'signingKeys'),
    singleUse: singleUseStore(database),
    telemetry: telemetryStore(database),
    totp: totpStore(database),
    vapidKeys: vapidKeysStore(database),
    wrongCodes: wrongCodesStore(database),
    transfers: transfersStore(database),
    walletNonces: walletNoncesStore(database),
    wallets: walletsStore(database),
    webhookDeliveries: webhookDeliveriesStore(database),
    webhookEndpoints: webhookEndpointsStore(database),
  }
}

/** Every store, on one connection or in one transaction. A use case declares those it uses: `Pick<Stores, 'audit'>`. */
export type Stores = ReturnType<typeof storesOn>

/** The stores `Name`, with transactions on them. */
export type TransactionalStores<Name extends keyof Stores> = Pick<Stores, Name> & {
  /** Runs `work` in a transaction. Do only database work in it: the embedded database has a single writer. */
  readonly atomically: <Result>(
    work: (stores: Pick<Stores, Name>) => Promise<Result>,
  ) => Promise<Result>
}

/** Every store, for the modules that assemble the server. */
export type AllStores = TransactionalStores<keyof Stores>

export function allStores(database: Database): AllStores {
  return {
    ...storesOn(database),
    atomically: (work) =>
      traced('database transaction', () =>
        database.transaction().execute((transaction) => work(storesOn(transaction))),
      ),
  }
}
