/** Mails as HTML documents, for the mailbox and the gallery of demonstration mode. */
import type { FastifyReply } from 'fastify'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import type { Sender } from '../mail/layout.ts'
import * as mails from '../mail/mails.ts'
import type { DraftMail } from '../mail/outbox.ts'

const EMAIL = 'avery.borrower@example.com'
const AT = Date.UTC(2030, 0, 14, 9)
const LOGIN_UUID = '5d1f6a0e-3c1b-4e0a-9a52-0f9d4f2f7c11'

const DECIDED_PASSPORT = {
  email: EMAIL,
  section: 'kyc',
  path: `/universal-passport/onboarding/${LOGIN_UUID}/resume`,
} as const

interface SampleMail {
  readonly title: string
  readonly mail: (sender: Sender) => DraftMail
}

type MailName = Extract<keyof typeof mails, `${string}Mail`>

/** Every mail with sample values, for the gallery. */
export const SAMPLE_MAILS: Readonly<Record<MailName, SampleMail>> = {
  passcodeMail: {
    title: 'Mail: passcode',
    mail: (sender) =>
      mails.passcodeMail(sender, { email: EMAIL, code: '123456', purpose: 'login' }),
  },
  invitationMail: {
    title: 'Mail: invitation to register',
    mail: (sender) => mails.invitationMail(sender, { email: EMAIL }),
  },
  continueApplicationMail: {
    title: 'Mail: continue the application',
    mail: (sender) =>
      mails.continueApplicationMail(sender, {
        email: EMAIL,
        code: '123456',
        loginUuid: LOGIN_UUID,
      }),
  },
  providerLoginMail: {
    title: 'Mail: log in with the identity provider',
    mail: (sender) => mails.providerLoginMail(sender, { email: EMAIL, provider: 'Northgale ID' }),
  },
  passwordChosenMail: {
    title: 'Mail: first password',
    mail: (sender) => mails.passwordChosenMail(sender, { email: EMAIL, at: AT }),
  },
  passwordChangedMail: {
    title: 'Mail: password changed',
    mail: (sender) => mails.passwordChangedMail(sender, { email: EMAIL, at: AT }),
  },
  securityChangedMail: {
    title: 'Mail: security changed',
    mail: (sender) =>
      mails.securityChangedMail(sender, { email: EMAIL, at: AT, change: 'A passkey was added.' }),
  },
  transactionMail: {
    title: 'Mail: transaction approved',
    mail: (sender) =>
      mails.transactionMail(sender, {
        email: EMAIL,
        at: AT,
        effect: 'Send 25 hash to tp13d...axwxy',
        account: 'Everyday',
        fee: '0.381 hash',
        recipients: ['tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'],
      }),
  },
  newDeviceMail: {
    title: 'Mail: login in a new browser',
    mail: (sender) => mails.newDeviceMail(sender, { email: EMAIL, at: AT }),
  },
  lockoutLinkMail: {
    title: 'Mail: link for a locked-out owner',
    mail: (sender) => mails.lockoutLinkMail(sender, { email: EMAIL, token: LOGIN_UUID }),
  },
  wrongCodesMail: {
    title: 'Mail: wrong codes at the second step',
    mail: (sender) => mails.wrongCodesMail(sender, { email: EMAIL, at: AT }),
  },
  addressTakenMail: {
    title: 'Mail: address of another account',
    mail: (sender) => mails.addressTakenMail(sender, { email: EMAIL }),
  },
  emailChangedMail: {
    title: 'Mail: address changed',
    mail: (sender) =>
      mails.emailChangedMail(sender, { to: EMAIL, masked: 'a•••@example.com', at: AT }),
  },
  providerSetupMail: {
    title: 'Mail: set up single sign-on',
    mail: (sender) =>
      mails.providerSetupMail(sender, { email: EMAIL, token: 'token', userType: 'customer' }),
  },
  webhookDisabledMail: {
    title: 'Mail: webhooks turned off',
    mail: (sender) =>
      mails.webhookDisabledMail(sender, {
        email: EMAIL,
        endpoint: 'lender-application',
        host: 'app.lender.example',
      }),
  },
  certificateMail: {
    title: 'Mail: certificate expires',
    mail: (sender) =>
      mails.certificateMail(sender, { email: EMAIL, provider: 'Lender ID', expiresAt: AT }),
  },
  passportInvitationMail: {
    title: 'Mail: invitation to a passport',
    mail: (sender) =>
      mails.passportInvitationMail(sender, {
        email: EMAIL,
        inviter: 'olga.organizations@example.com',
        path: `/universal-passport/group-manager/${LOGIN_UUID}/join`,
      }),
  },
  passportApprovedMail: {
    title: 'Mail: answers of a passport approved',
    mail: (sender) => mails.passportApprovedMail(sender, DECIDED_PASSPORT),
  },
  passportReturnedMail: {
    title: 'Mail: more is needed for a passport',
    mail: (sender) => mails.passportReturnedMail(sender, DECIDED_PASSPORT),
  },
  passportDeniedMail: {
    title: 'Mail: answers of a passport not approved',
    mail: (sender) => mails.passportDeniedMail(sender, DECIDED_PASSPORT),
  },
  dataExportedMail: {
    title: 'Mail: data downloaded',
    mail: (sender) => mails.dataExportedMail(sender, { email: EMAIL, at: AT }),
  },
  accountDeletedMail: {
    title: 'Mail: account deleted',
    mail: (sender) => mails.accountDeletedMail(sender, { email: EMAIL, at: AT }),
  },
}

/** A mail runs no scripts and loads no resources; its links open in a new tab. */
const MAIL_HEADERS = {
  'content-security-policy': contentSecurityPolicy({
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    'style-src': "'unsafe-inline'",
    'frame-ancestors': "'self'",
  }),
  'x-frame-options': 'SAMEORIGIN',
  'content-type': 'text/html; charset=utf-8',
}

/** Sends a mail's HTML, which only our own pages may frame. */
export function sendMailDocument(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(MAIL_HEADERS).send(html.replace('<head>', '<head><base target="_blank">'))
}
