/** Every mail with sample values, for brand previews. */
import type { Sender } from '../brands/brands.ts'
import * as mails from './mails.ts'
import type { DraftMail } from './outbox.ts'

const EMAIL = 'avery.borrower@example.com'
const AT = Date.UTC(2030, 0, 14, 9)
const LOGIN_UUID = '5d1f6a0e-3c1b-4e0a-9a52-0f9d4f2f7c11'

const DECIDED_PASSPORT = {
  email: EMAIL,
  section: 'kyc',
  path: `/universal-passport/onboarding/${LOGIN_UUID}/resume`,
} as const

const ACT_REQUEST = { email: EMAIL, act: 'deletePerson', requestUuid: LOGIN_UUID } as const

export const SAMPLE_MAILS: Readonly<
  Record<Extract<keyof typeof mails, `${string}Mail`>, (sender: Sender) => DraftMail>
> = {
  passcodeMail: (sender) =>
    mails.passcodeMail(sender, { email: EMAIL, code: '123456', purpose: 'login' }),
  accountLinkMail: (sender) =>
    mails.accountLinkMail(sender, { email: EMAIL, code: '123456', provider: 'Northgale ID' }),
  invitationMail: (sender) => mails.invitationMail(sender, { email: EMAIL }),
  continueApplicationMail: (sender) =>
    mails.continueApplicationMail(sender, {
      email: EMAIL,
      code: '123456',
      loginUuid: LOGIN_UUID,
      isLinkTrusted: true,
    }),
  providerLoginMail: (sender) =>
    mails.providerLoginMail(sender, {
      email: EMAIL,
      provider: { name: 'Northgale ID', userType: 'customer' },
    }),
  passwordChosenMail: (sender) => mails.passwordChosenMail(sender, { email: EMAIL, at: AT }),
  passwordChangedMail: (sender) => mails.passwordChangedMail(sender, { email: EMAIL, at: AT }),
  securityChangedMail: (sender) =>
    mails.securityChangedMail(sender, { email: EMAIL, at: AT, change: 'A passkey was added.' }),
  transactionMail: (sender) =>
    mails.transactionMail(sender, {
      email: EMAIL,
      at: AT,
      effect: 'Send 25 hash to tp13d...axwxy',
      account: 'Everyday',
      fee: '0.381 hash',
      recipients: ['tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'],
    }),
  newDeviceMail: (sender) => mails.newDeviceMail(sender, { email: EMAIL, at: AT }),
  lockoutLinkMail: (sender) => mails.lockoutLinkMail(sender, { email: EMAIL, token: LOGIN_UUID }),
  wrongCodesMail: (sender) => mails.wrongCodesMail(sender, { email: EMAIL, at: AT }),
  addressTakenMail: (sender) => mails.addressTakenMail(sender, { email: EMAIL }),
  emailChangedMail: (sender) =>
    mails.emailChangedMail(sender, { to: EMAIL, masked: 'a•••@example.com', at: AT }),
  providerSetupMail: (sender) =>
    mails.providerSetupMail(sender, { email: EMAIL, token: 'token', userType: 'customer' }),
  webhookDisabledMail: (sender) =>
    mails.webhookDisabledMail(sender, {
      email: EMAIL,
      endpoint: 'lender-application',
      host: 'app.lender.example',
    }),
  certificateMail: (sender) =>
    mails.certificateMail(sender, { email: EMAIL, provider: 'Lender ID', expiresAt: AT }),
  passportInvitationMail: (sender) =>
    mails.passportInvitationMail(sender, {
      email: EMAIL,
      inviter: 'olga.organizations@example.com',
      path: `/universal-passport/group-manager/${LOGIN_UUID}/join`,
    }),
  organizationInvitationMail: (sender) =>
    mails.organizationInvitationMail(sender, { email: EMAIL }),
  passportApprovedMail: (sender) => mails.passportApprovedMail(sender, DECIDED_PASSPORT),
  passportReturnedMail: (sender) => mails.passportReturnedMail(sender, DECIDED_PASSPORT),
  passportDeniedMail: (sender) => mails.passportDeniedMail(sender, DECIDED_PASSPORT),
  dataExportedMail: (sender) => mails.dataExportedMail(sender, { email: EMAIL, at: AT }),
  accountViewedMail: (sender) => mails.accountViewedMail(sender, { email: EMAIL, at: AT }),
  approvalNeededMail: (sender) =>
    mails.approvalNeededMail(sender, {
      ...ACT_REQUEST,
      requestedBy: 'sam.support@example.com',
      organizations: sender.organization.companyInfo.name,
      expiresAt: AT,
    }),
  requestDecidedMail: (sender) =>
    mails.requestDecidedMail(sender, {
      ...ACT_REQUEST,
      outcome: 'done',
      decidedBy: 'ada.admin@example.com',
    }),
  accountDeletedMail: (sender) => mails.accountDeletedMail(sender, { email: EMAIL, at: AT }),
}
