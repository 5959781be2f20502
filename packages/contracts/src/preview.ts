/** What the gallery and the console preview in a brand: screens with their page data, and mails. */
import * as z from 'zod/mini'
import { PageData } from './page-data.ts'

/** The titles of the mails that the gallery and the console preview. */
export const PREVIEW_MAILS = {
  passcodeMail: 'passcode',
  invitationMail: 'invitation to register',
  continueApplicationMail: 'continue the application',
  providerLoginMail: 'log in with the identity provider',
  passwordChosenMail: 'first password',
  passwordChangedMail: 'password changed',
  securityChangedMail: 'security changed',
  transactionMail: 'transaction approved',
  newDeviceMail: 'login in a new browser',
  lockoutLinkMail: 'link for a locked-out owner',
  wrongCodesMail: 'wrong codes at the second step',
  addressTakenMail: 'address of another account',
  emailChangedMail: 'address changed',
  providerSetupMail: 'set up single sign-on',
  webhookDisabledMail: 'webhooks turned off',
  certificateMail: 'certificate expires',
  passportInvitationMail: 'invitation to a passport',
  passportApprovedMail: 'answers of a passport approved',
  passportReturnedMail: 'more is needed for a passport',
  passportDeniedMail: 'answers of a passport not approved',
  dataExportedMail: 'data downloaded',
  accountDeletedMail: 'account deleted',
} as const

export type PreviewMail = keyof typeof PREVIEW_MAILS

/** A brand that a screen can switch to. */
export const PreviewBrand = z.object({
  name: z.string(),
  page: PageData,
  /** Its theme and, if it has one, its style sheet. */
  css: z.string(),
})

export type PreviewBrand = z.output<typeof PreviewBrand>

/** The documents of the console's preview frame: `/mail`, or `/APPLICATION/SCREEN`. */
export const PREVIEW_PATH = '/console/preview'

/** The message with which a preview frame requests its content from the embedding page. */
export const PREVIEW_READY = 'portico-preview-ready'

/** The message that shows a brand in a preview frame of a screen. */
export const PreviewMessage = z.object({
  brand: PreviewBrand,
  scheme: z.enum(['light', 'dark']),
})
