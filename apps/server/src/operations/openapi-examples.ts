/** Examples of every call's request and response for the OpenAPI description, checked against their schemas. */
import {
  addPasskey,
  beginEmailChange,
  beginPasskey,
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
  readPasskeyConfirmation,
  readQuestionCatalog,
  readSecurity,
  removePasskey,
  removePhone,
  removeTotp,
  renamePasskey,
  sendConfirmation,
  setEmailFactor,
  setQuestions,
} from '@portico/contracts/account-security'
import { BROKER } from '@portico/contracts/broker'
import type { Call } from '@portico/contracts/call'
import { decideExternally, decideInternally, recordExposure } from '@portico/contracts/experiments'
import {
  approveRequest,
  lockHostedWallet,
  readHostedAccounts,
  rejectRequest,
  renameHostedAccount,
  requestApproval,
  restoreHostedAccount,
} from '@portico/contracts/hosted-wallet'
import {
  login,
  logout,
  readBotCheckChallenge,
  readExpandedIdentity,
  readIdentity,
  readRegistrationVerification,
  readSession,
  redeemToken,
  register,
  sendToken,
  setPassword,
  stopImpersonation,
} from '@portico/contracts/identity'
import {
  sendContinueApplicationEmail,
  storeBorrowerQueryParams,
} from '@portico/contracts/lead-portal'
import { DEFAULT_WALLET_BRAND } from '@portico/contracts/organization'
import {
  acceptOrganization,
  beginOrganization,
  completeOrganization,
  declineOrganization,
  readOrganizationInvitations,
} from '@portico/contracts/organization-account'
import {
  createPassport,
  invitePassportMember,
  joinPassport,
  type Passport,
  readCreatorPassport,
  readCreatorPassportStatus,
  readPassport,
  readPassportStatus,
  removePassportMember,
  reopenPassportSection,
  savePassportSection,
  submitPassport,
} from '@portico/contracts/passport'
import {
  completePassportFile,
  createPassportFile,
  downloadPassportFile,
  readPassportFile,
  removePassportFile,
  sendPassportFilePart,
} from '@portico/contracts/passport-files'
import {
  decideReview,
  type ReviewItem,
  readReview,
  readReviewQueue,
} from '@portico/contracts/passport-review'
import { readPushKey, subscribePush, unsubscribePush } from '@portico/contracts/push'
import { createShortLink } from '@portico/contracts/short-links'
import {
  addDomain,
  beginTest,
  checkDomain,
  chooseProvider,
  createDirectoryToken,
  disableProvider,
  enableProvider,
  openSetup,
  readSetup,
  removeDomain,
  revokeDirectoryToken,
  type Setup,
  saveAttributes,
  saveOpenId,
  saveSaml,
} from '@portico/contracts/sso-setup'
import { beginTelemetrySession, sendTelemetryEvent } from '@portico/contracts/telemetry'
import {
  answerQuestion,
  passkeyLogin,
  readPasskeyLogin,
  readPasskeySecondFactor,
  redeemPasskeySecondFactor,
  redeemRecoveryCode,
  redeemSecondFactor,
  redeemTotp,
  retrieveQuestions,
  sendSecondFactor,
} from '@portico/contracts/two-factor'
import {
  attachWallet,
  convertWallet,
  createHostedAccount,
  readAccountAccess,
  readAccounts,
  readWalletAccounts,
  readWalletJwt,
  readWalletNonce,
  selectAccount,
} from '@portico/contracts/wallet'
import { readWalletOffers } from '@portico/contracts/wallet-offers'
import { ADMIN_EXAMPLES } from './openapi-admin-examples.ts'
import { type CallExample, example } from './openapi-example.ts'

const JWT = 'eyJhbGciOiJFUzI1NksiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiIwZDNmIn0.c2lnbmF0dXJl'
const LOGIN_UUID = '5d1f6a0e-3c1b-4e0a-9a52-0f9d4f2f7c11'
const PUSH_ENDPOINT = 'https://push.example/wpush/v2/gAAAAABl'
const PUSH_KEY =
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const IDENTITY_UUID = '0d3f1f8e-52a4-4f3b-8a7f-6b1f0a4f9e21'
const ALIAS_UUID = '7a6d2c58-9b1d-4d0e-b1f3-2c9a8e7d6f31'
const PASSKEY_UUID = 'c2b9f0a4-1e5d-4a7c-9f38-5d6e7f8a9b41'
const SESSION_UUID = '9e8d7c6b-5a49-4838-8726-1504f3e2d151'
const CHALLENGE_UUID = '3b2a1908-f7e6-4d5c-8b4a-392817065f61'
const QUESTION_UUID = '0b8f4c1e-2a57-4d0e-9c53-61f0a7d3b201'
const TRACKER_UUID = '68f7e6d5-c4b3-4a29-9180-7f6e5d4c3b71'
const APPROVAL_UUID = 'f0e1d2c3-b4a5-4697-8879-6a5b4c3d2e81'
const ORGANIZATION_UUID = '1a2b3c4d-5e6f-4708-91a2-b3c4d5e6f791'
const PROVIDER_UUID = '6b5a4938-2716-4f0e-9d8c-7b6a59483721'
const PASSPORT_UUID = '2f0d9c4b-7a61-4e58-8d3c-b15e6f7a8291'
const FILE_UUID = '8d7c6b5a-4938-4271-8605-f4e3d2c1b0a9'
const MEMBER_UUID = '4c3b2a19-8f7e-4d6c-9b5a-493827160fa1'
const EMAIL = 'avery.borrower@example.com'
const WALLET_ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const GROUP_ADDRESS = 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf'
const PUBLIC_KEY = 'A4wDtzYDyGFM3J7Je9Kh8LXlyZIxNxMd62LVcS7Xo1qE'
const SIGNATURE_HEX = '5f'.repeat(64)
const SIGNED_IN_AT = 1_767_225_600_000

const EMAIL_ALIAS = { uuid: ALIAS_UUID, type: 'Email', value: EMAIL } as const
const IDENTITY = {
  uuid: IDENTITY_UUID,
  organizationCode: 'FIGURE',
  profileType: 'CUSTOMER',
  updatedDate: '2026-01-01T00:00:00.000Z',
  passwordExpired: false,
  twoFactorEnabled: true,
  totpVerified: false,
} as const
const QUESTION = { uuid: QUESTION_UUID, question: 'What was the name of your first pet?' }
const ANSWER = { securityQuestionUuid: QUESTION_UUID, answer: 'Rex' }
const PASSKEY_OPTIONS = { challenge: 'cG9ydGljbw', rpId: 'lender.example', timeout: 60_000 }
const PASSKEY_RESPONSE = { id: 'Y3JlZGVudGlhbA', type: 'public-key', response: {} }
const ACCOUNT = { name: 'Everyday', address: WALLET_ADDRESS }
const GROUP = { name: 'Larch Partners', address: GROUP_ADDRESS }
const WALLET = {
  name: 'Everyday',
  address: WALLET_ADDRESS,
  type: 'FIGURE',
  verified: true,
} as const
const AUTHORIZED_WALLET = { ...WALLET, authorizationType: 'Owner' } as const
const CREDENTIALS = { walletAddress: WALLET_ADDRESS, groupPolicyAddress: GROUP_ADDRESS }
const SESSION_KEY = { uuid: SESSION_UUID, epoch: SIGNED_IN_AT, trackerUuid: TRACKER_UUID }
const CREATE_GROUP_MESSAGE = 'Ci0vY29zbW9zLmdyb3VwLnYxLk1zZ0NyZWF0ZUdyb3VwV2l0aFBvbGljeRIA'
const DECISION = {
  optimizeUser: { trackerId: TRACKER_UUID, organization: 'FIGURE' },
  experimentKey: 'partner-simplified-onboarding',
}
const TELEMETRY_SESSION = {
  request: {
    platform: 'WEB',
    libVersion: '2.2.24',
    referrer: 'https://lender.example/',
    queryParams: { flow: 'new-user' },
    screenWidth: 1440,
    screenHeight: 900,
    windowWidth: 1440,
    windowHeight: 789,
    appVersion: '0.1.0',
  },
  response: { sessionKey: SESSION_KEY, trackerUuid: TRACKER_UUID },
} as const
const TELEMETRY_EVENT = {
  request: {
    domain: 'lender.example',
    queryParams: {},
    pagePath: '/auth/login',
    event: 'page_view',
    sessionKey: SESSION_KEY,
    eventType: 'page_view',
  },
} as const

const LOGIN_STATE = 'vJ0v6nq1yq2m8o2rX0b4h1mY7d3c5s9tK6w8z0a1B2c'
const OF_SETUP = {
  userType: { description: 'Which setup of the organization.', example: 'customer' },
}
const SETUP: Setup = {
  organizationCode: 'NORTHGALE',
  userType: 'customer',
  expiresAt: 1_795_500_000_000,
  version: 4,
  service: {
    callbackUrl: `https://login.lender.example/identity-broker/customer/callback/${PROVIDER_UUID}`,
    entityId: `https://login.lender.example/identity-broker/customer/metadata/${PROVIDER_UUID}`,
    logoutUrl: 'https://login.lender.example/auth/login',
    directoryUrl: 'https://login.lender.example/scim/v2',
  },
  product: 'okta',
  protocol: 'oidc',
  name: 'Lender ID',
  oidc: {
    issuer: 'https://lender.okta.example',
    clientId: '0oa1b2c3',
    scope: 'openid email profile groups',
    hasSecret: true,
  },
  saml: null,
  attributes: { groups: 'groups' },
  requiredGroup: 'portico',
  domains: [
    {
      domain: 'lender.example',
      verifiedAt: 1_795_413_600_000,
      record: {
        name: '_sso-verification.lender.example',
        value: 'sso-verification=rkS5C0gXPzO4mFJ8sVbYtJ3xM2a1nQeWuHcL6dTiK9o',
      },
    },
  ],
  directoryTokens: [
    { id: '7a3f5a4e-1c7f-4a4c-9a53-0f3f5f1f5c11', createdAt: 1767225600000, lastUsedAt: null },
  ],
  test: { status: 'passed', at: 1_795_413_900_000, claims: [{ name: 'sub', value: '00u1b2c3' }] },
  enabledAt: 1_795_414_000_000,
  isOffered: true,
  isApplied: true,
}

const PROVIDER_LOGIN = {
  begin: {
    request: { email: EMAIL, queryParams: { flow: 'new-user' } },
    response: {
      redirect: 'https://login.broker.example/authorize?client_id=portico&response_type=code',
      state: LOGIN_STATE,
    },
  },
  identity: {
    identityUuid: IDENTITY_UUID,
    organizationCode: 'FIGURE',
    email: EMAIL,
    updatedAt: '2026-01-01T00:00:00.000Z',
    isManageable: true,
    activeLegacyCustomerOrgs: [],
    walletContext: { accountAddress: WALLET_ADDRESS, groupPolicyAddress: GROUP_ADDRESS },
  },
  logOut: { response: { redirect: 'https://login.broker.example/logout' } },
}

const signedIn = { response: { jwt: JWT } }

/** The examples by call name. */
const PASSPORT_QUERY = {
  passportUuid: {
    description: 'The passport; by default that of the account that the user acts as.',
    example: PASSPORT_UUID,
  },
}
const PASSPORT_ENTRY = {
  at: SIGNED_IN_AT,
  section: 'kyc',
  event: 'returned',
  reason: 'Please enter the name as it is registered.',
} as const
const PASSPORT_SUMMARY = {
  passportUuid: PASSPORT_UUID,
  passportStructureType: 'ENTITY',
  ownerWalletAddress: GROUP_ADDRESS,
  status: {
    kycStatus: 'IN_PROGRESS',
    attestationStatus: 'UNKNOWN_STATUS',
    attestationVerificationStatus: 'UNKNOWN_STATUS',
  },
} as const
const PASSPORT_SECTION = {
  section: 'kyc',
  status: 'IN_PROGRESS',
  version: 2,
  savedAt: SIGNED_IN_AT,
  answers: { legalName: 'Larch Partners' },
} as const
const PASSPORT_MEMBER = {
  memberUuid: MEMBER_UUID,
  name: 'Avery Borrower',
  email: EMAIL,
  role: 'controller',
  joinedAt: null,
  expiresAt: SIGNED_IN_AT,
} as const
const UPLOAD = {
  fileUuid: FILE_UUID,
  name: 'Bank statement.pdf',
  bytes: 300_000,
  receivedBytes: 262_144,
  type: null,
  addedAt: SIGNED_IN_AT,
  modifiedAt: SIGNED_IN_AT,
} as const
const PASSPORT_FILE = { ...UPLOAD, receivedBytes: 300_000, type: 'application/pdf' } as const
const FILE_QUERY = { fileUuid: { description: 'The file.', example: FILE_UUID } }
const PASSPORT: Passport = {
  ...PASSPORT_SUMMARY,
  access: 'owner',
  sections: [PASSPORT_SECTION],
  members: [PASSPORT_MEMBER],
  files: [PASSPORT_FILE],
  history: [PASSPORT_ENTRY],
}
const REVIEW_ITEM: ReviewItem = {
  passportUuid: PASSPORT_UUID,
  section: 'kyc',
  passportStructureType: 'ENTITY',
  organizationCode: 'FIGURE',
  ownerWalletAddress: GROUP_ADDRESS,
  name: 'Larch Partners',
  status: 'PENDING',
  submittedAt: SIGNED_IN_AT,
}

export const EXAMPLES: ReadonlyMap<Call, CallExample> = new Map([
  example(login, {
    request: { email: EMAIL, password: 'quiet-harbour-71-lantern' },
    response: {
      twoFactorOptions: {
        loginUuid: LOGIN_UUID,
        aliases: [EMAIL_ALIAS],
        emailFactorSupported: true,
        totpEnabled: false,
      },
    },
  }),
  example(BROKER.customer.beginLogin, PROVIDER_LOGIN.begin),
  example(BROKER.customer.redeemLogin, { request: { state: LOGIN_STATE }, ...signedIn }),
  example(BROKER.customer.linkAccount, {
    request: { state: LOGIN_STATE, token: '123456' },
    ...signedIn,
  }),
  example(BROKER.customer.sendLinkCode, { request: { state: LOGIN_STATE } }),
  example(BROKER.customer.readIdentity, {
    response: { ...PROVIDER_LOGIN.identity, userType: 'customer' },
  }),
  example(BROKER.customer.logOut, PROVIDER_LOGIN.logOut),
  example(BROKER.agent.beginLogin, PROVIDER_LOGIN.begin),
  example(BROKER.agent.redeemLogin, { request: { state: LOGIN_STATE }, ...signedIn }),
  example(BROKER.agent.linkAccount, {
    request: { state: LOGIN_STATE, token: '123456' },
    ...signedIn,
  }),
  example(BROKER.agent.sendLinkCode, { request: { state: LOGIN_STATE } }),
  example(BROKER.agent.readIdentity, {
    response: { ...PROVIDER_LOGIN.identity, userType: 'agent' },
  }),
  example(BROKER.agent.logOut, PROVIDER_LOGIN.logOut),
  example(openSetup, { request: { token: LOGIN_STATE }, response: SETUP }),
  example(readSetup, { query: OF_SETUP, response: SETUP }),
  example(chooseProvider, {
    query: OF_SETUP,
    request: { version: 2, product: 'okta', protocol: 'oidc' },
    response: SETUP,
  }),
  example(saveOpenId, {
    query: OF_SETUP,
    request: {
      version: 3,
      name: 'Lender ID',
      issuer: 'https://lender.okta.example',
      clientId: '0oa1b2c3',
      clientSecret: 'the-secret-of-the-client',
      scope: 'openid email profile groups',
    },
    response: SETUP,
  }),
  example(saveSaml, {
    query: OF_SETUP,
    request: {
      version: 3,
      name: 'Lender ID',
      provider: { metadataUrl: 'https://lender.okta.example/app/exk1/sso/saml/metadata' },
    },
    response: SETUP,
  }),
  example(addDomain, { query: OF_SETUP, request: { domain: 'lender.example' }, response: SETUP }),
  example(checkDomain, {
    query: OF_SETUP,
    request: { domain: 'lender.example' },
    response: { setup: SETUP, check: { result: 'verified', found: [] } },
  }),
  example(removeDomain, {
    query: OF_SETUP,
    request: { domain: 'lender.example' },
    response: SETUP,
  }),
  example(saveAttributes, {
    query: OF_SETUP,
    request: { version: 4, groups: 'groups', requiredGroup: 'portico' },
    response: SETUP,
  }),
  example(beginTest, {
    query: OF_SETUP,
    request: { version: 4 },
    response: { setup: SETUP, redirect: 'https://lender.okta.example/oauth2/v1/authorize?…' },
  }),
  example(enableProvider, { query: OF_SETUP, request: { version: 4 }, response: SETUP }),
  example(disableProvider, { query: OF_SETUP, request: { version: 4 }, response: SETUP }),
  example(createDirectoryToken, {
    query: OF_SETUP,
    response: { setup: SETUP, token: 'portico_scim_rkS5C0gXPzO4mFJ8sVbYtJ3xM2a1nQeWuHcL6dTiK9o' },
  }),
  example(revokeDirectoryToken, {
    query: OF_SETUP,
    request: { id: '7a3f5a4e-1c7f-4a4c-9a53-0f3f5f1f5c11' },
    response: { ...SETUP, directoryTokens: [] },
  }),
  example(sendToken, { request: { email: EMAIL }, response: { uuid: LOGIN_UUID } }),
  example(redeemToken, { request: { loginUuid: LOGIN_UUID, token: '123456' }, ...signedIn }),
  example(setPassword, { request: { newPassword: 'violet-anchor-29-marble' } }),
  example(register, { request: { email: EMAIL }, ...signedIn }),
  example(readSession, {
    response: {
      session: {
        identityUuid: IDENTITY.uuid,
        email: EMAIL,
        organizationCode: IDENTITY.organizationCode,
        profileType: IDENTITY.profileType,
        passwordExpired: false,
        authenticatedAt: IDENTITY.updatedDate,
        expiresAt: IDENTITY.updatedDate,
      },
    },
  }),
  example(readIdentity, {
    response: {
      identity: { ...IDENTITY, aliases: [{ ...EMAIL_ALIAS, verified: true, auth: true }] },
      passwordExpired: false,
    },
  }),
  example(readExpandedIdentity, {
    response: {
      identity: { ...IDENTITY, aliases: [{ ...EMAIL_ALIAS, verified: true, auth: true }] },
      passwordExpired: false,
    },
  }),
  example(readRegistrationVerification, {
    query: {
      identityUuid: { description: 'The identity of the borrower.', example: IDENTITY_UUID },
      borrowerEmail: { description: 'The address, with `organization`.', example: EMAIL },
      organization: { description: 'The code of the organization.', example: 'FIGURE' },
      loginUuid: { description: 'The login that the mailed code belongs to.', example: LOGIN_UUID },
    },
    response: {
      isIdentityRegistered: false,
      isInquiryWelcomeEmailSent: true,
      isTokenExpired: false,
    },
  }),
  example(logout, {}),
  example(stopImpersonation, {}),
  example(readBotCheckChallenge, {
    response: { parameters: { algorithm: 'PBKDF2/SHA-256', nonce: '0a1b2c', cost: 5000 } },
  }),

  example(sendSecondFactor, { request: { loginUuid: LOGIN_UUID, alias: ALIAS_UUID } }),
  example(redeemSecondFactor, {
    request: { token: '123456', loginUuid: LOGIN_UUID, rememberDevice: true },
    ...signedIn,
  }),
  example(redeemTotp, { request: { code: '123456', loginUuid: LOGIN_UUID }, ...signedIn }),
  example(retrieveQuestions, { request: { loginUuid: LOGIN_UUID }, response: [QUESTION] }),
  example(answerQuestion, { request: { loginUuid: LOGIN_UUID, answers: [ANSWER] }, ...signedIn }),
  example(redeemRecoveryCode, {
    request: { loginUuid: LOGIN_UUID, code: 'demo-0000-0000-0001' },
    ...signedIn,
  }),
  example(readPasskeySecondFactor, {
    request: { loginUuid: LOGIN_UUID },
    response: { options: PASSKEY_OPTIONS },
  }),
  example(redeemPasskeySecondFactor, {
    request: { loginUuid: LOGIN_UUID, response: PASSKEY_RESPONSE },
    ...signedIn,
  }),
  example(readPasskeyLogin, {
    request: {},
    response: { challengeUuid: CHALLENGE_UUID, options: PASSKEY_OPTIONS },
  }),
  example(passkeyLogin, {
    request: { challengeUuid: CHALLENGE_UUID, response: PASSKEY_RESPONSE },
    ...signedIn,
  }),

  example(readSecurity, {
    response: {
      aliases: [{ ...EMAIL_ALIAS, verified: true, auth: true }],
      emailFactorEnabled: true,
      totpEnabled: false,
      textsAvailable: true,
      questions: [QUESTION],
      recoveryCodesLeft: 10,
      passkeys: [{ uuid: PASSKEY_UUID, name: 'Laptop', createdAt: SIGNED_IN_AT, lastUsedAt: null }],
      providers: [
        {
          uuid: PROVIDER_UUID,
          name: 'Northgale ID',
          connectedAt: SIGNED_IN_AT,
          manages: false,
        },
      ],
      sessions: [
        {
          uuid: SESSION_UUID,
          device: 'Firefox on Linux',
          network: '192.0.2.0/24',
          method: 'password',
          signedInAt: SIGNED_IN_AT,
          current: true,
        },
      ],
      events: [{ at: SIGNED_IN_AT, kind: 'login-succeeded', network: '192.0.2.0/24' }],
      hasPassword: true,
      hasHostedWallets: true,
      confirmed: true,
      confirmWith: {
        change: ['password', 'passkey', 'passcode'],
        payment: ['password', 'passcode'],
      },
    },
  }),
  example(sendConfirmation, { response: { loginUuid: LOGIN_UUID } }),
  example(readPasskeyConfirmation, { response: { options: PASSKEY_OPTIONS } }),
  example(confirmIdentity, {
    query: {
      approval: {
        description: 'The hosted wallet approval that the proof is for.',
        example: APPROVAL_UUID,
      },
    },
    request: { password: 'quiet-harbour-71-lantern' },
  }),
  example(beginTotp, {
    response: {
      secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
      uri: 'otpauth://totp/Portico:avery?secret=PORTICOTOTPSECRETABCDEFGH234567K&issuer=Portico',
    },
  }),
  example(confirmTotp, { request: { code: '123456' } }),
  example(removeTotp, {}),
  example(setEmailFactor, { request: { enabled: true } }),
  example(beginPhone, { request: { phone: '(555) 010-0199' }, response: { alias: ALIAS_UUID } }),
  example(confirmPhone, { request: { alias: ALIAS_UUID, token: '123456' } }),
  example(removePhone, { request: { alias: ALIAS_UUID } }),
  example(readQuestionCatalog, { response: [QUESTION] }),
  example(setQuestions, { request: { answers: [ANSWER] } }),
  example(makeRecoveryCodes, { response: { codes: ['demo-0000-0000-0001'] } }),
  example(beginPasskey, {
    response: { challengeUuid: CHALLENGE_UUID, options: PASSKEY_OPTIONS },
  }),
  example(addPasskey, {
    request: { challengeUuid: CHALLENGE_UUID, name: 'Laptop', response: PASSKEY_RESPONSE },
  }),
  example(renamePasskey, { request: { uuid: PASSKEY_UUID, name: 'Old laptop' } }),
  example(removePasskey, { request: { uuid: PASSKEY_UUID } }),
  example(disconnectProvider, { request: { uuid: PROVIDER_UUID } }),
  example(endSessions, { request: { which: 'others' } }),
  example(beginEmailChange, {
    request: { email: 'avery.new@example.com' },
    response: { changeUuid: CHALLENGE_UUID },
  }),
  example(confirmEmailChange, {
    request: { changeUuid: CHALLENGE_UUID, currentToken: '123456', newToken: '654321' },
  }),
  example(exportAccountData, {
    response: {
      exportedAt: '2026-11-22T10:00:00.000Z',
      identity: {
        uuid: IDENTITY_UUID,
        email: 'avery.borrower@example.com',
        organizationCode: 'FIGURE',
        profileType: 'CUSTOMER',
        givenName: null,
        familyName: null,
        createdAt: '2026-01-12T09:30:00.000Z',
        updatedAt: '2026-01-12T09:30:00.000Z',
        hasPassword: true,
        aliases: [{ type: 'Email', value: 'avery.borrower@example.com' }],
      },
      security: {
        emailFactorEnabled: true,
        totpEnabled: false,
        recoveryQuestions: [QUESTION.question],
        recoveryCodesLeft: 10,
        identityProviders: [
          {
            name: 'Northgale ID',
            subject: '4afc1317c875',
            isCurrent: true,
            givenName: null,
            familyName: null,
            connectedAt: '2026-01-01T00:00:00.000Z',
            directory: {
              userName: 'nora.north@northgale.example',
              email: 'nora.north@northgale.example',
              displayName: 'Nora North',
              givenName: 'Nora',
              familyName: 'North',
            },
          },
        ],
        passkeys: [],
        sessions: [],
      },
      wallets: [],
      organizationAccounts: [],
      passports: [],
      walletRequests: [],
      arrivedWith: { flow: 'new-user' },
      events: [],
    },
  }),
  example(deleteOwnAccount, { request: { email: 'avery.borrower@example.com' } }),

  example(sendContinueApplicationEmail, {
    request: { borrowerIdentityUuid: IDENTITY_UUID },
    response: { loginUuid: LOGIN_UUID },
  }),
  example(storeBorrowerQueryParams, { request: { queryParams: { flow: 'new-user' } } }),

  example(readWalletOffers, { response: DEFAULT_WALLET_BRAND }),

  example(createShortLink, {
    request: { longDynamicLink: 'https://lender.example/mobile-wallet?wc=wc%3A0d3f%401' },
    response: { shortLink: 'https://lender.example/links/k3Vw9Q' },
  }),

  example(readPushKey, { response: { publicKey: PUSH_KEY } }),
  example(subscribePush, {
    request: {
      subscription: {
        endpoint: PUSH_ENDPOINT,
        keys: { p256dh: PUSH_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
      },
      topics: ['8a5e5bdc-a0e4-4702-ba63-8f1a5655744f'],
    },
  }),
  example(unsubscribePush, { request: { endpoint: PUSH_ENDPOINT } }),

  example(beginTelemetrySession.external, TELEMETRY_SESSION),
  example(beginTelemetrySession.internal, TELEMETRY_SESSION),
  example(sendTelemetryEvent.external, TELEMETRY_EVENT),
  example(sendTelemetryEvent.internal, TELEMETRY_EVENT),

  example(decideExternally, { request: DECISION, response: { flagEnabled: true } }),
  example(decideInternally, { request: DECISION, response: { flagEnabled: true } }),
  example(recordExposure, { request: { experimentKey: 'partner-simplified-onboarding' } }),

  example(readWalletNonce, { response: { hexEncodedNonce: '506f727469636f' } }),
  example(attachWallet, {
    query: {
      signedNonceHex: { description: 'The signature, 64 bytes in hex.', example: SIGNATURE_HEX },
      defaultWallet: { description: 'Whether to make this wallet the default.', example: 'true' },
      walletName: { description: 'The name of the wallet.', example: 'Everyday' },
    },
    ...signedIn,
  }),
  example(readWalletJwt, {
    query: {
      walletAddress: { description: 'The wallet that signs.', example: WALLET_ADDRESS },
      groupPolicyAddress: {
        description: 'The group to act for; without it the session acts for the individual.',
        example: GROUP_ADDRESS,
      },
    },
    ...signedIn,
  }),
  example(selectAccount, { request: CREDENTIALS, ...signedIn }),
  example(readWalletAccounts, { response: [WALLET] }),
  example(readAccounts, {
    response: [{ account: ACCOUNT, authorizedWallets: [AUTHORIZED_WALLET] }],
  }),
  example(readAccountAccess, {
    query: {
      principal: {
        description: 'The wallet that signs; the chosen one by default.',
        example: WALLET_ADDRESS,
      },
    },
    response: { account: ACCOUNT, authorizedWallet: AUTHORIZED_WALLET },
  }),
  example(createHostedAccount, {
    request: { name: 'Everyday', default: true },
    response: { address: WALLET_ADDRESS },
  }),
  example(convertWallet, {
    request: { walletAddress: WALLET_ADDRESS },
    response: { address: WALLET_ADDRESS },
  }),
  example(beginOrganization, {
    request: { walletAddress: WALLET_ADDRESS, name: 'Larch Partners' },
    response: { organizationId: ORGANIZATION_UUID, message: CREATE_GROUP_MESSAGE },
  }),
  example(completeOrganization, {
    request: { organizationId: ORGANIZATION_UUID },
    response: { account: GROUP },
  }),
  example(readOrganizationInvitations, {
    query: {
      after: {
        example: `waiting.1.1893456000000.${GROUP.address}.${ACCOUNT.address}`,
        description: '`next` of an invitation of the previous page.',
      },
    },
    response: [{ account: GROUP, wallet: ACCOUNT, invitedAt: 1_893_456_000_000, declined: false }],
  }),
  example(acceptOrganization, {
    request: { accountAddress: GROUP.address },
    response: { account: GROUP },
  }),
  example(declineOrganization, { request: { accountAddress: GROUP.address } }),

  example(lockHostedWallet, {}),
  example(readHostedAccounts, {
    response: [{ ...ACCOUNT, publicKey: PUBLIC_KEY, verified: true, groups: [GROUP] }],
  }),
  example(renameHostedAccount, { request: { address: WALLET_ADDRESS, name: 'Savings' } }),
  example(restoreHostedAccount, {
    request: {
      name: 'Everyday',
      words:
        'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    },
    response: { address: WALLET_ADDRESS },
  }),
  example(requestApproval, {
    request: {
      kind: 'sign',
      address: WALLET_ADDRESS,
      messageHex: '506f727469636f',
    },
    response: {
      approvalId: APPROVAL_UUID,
      expiresAt: SIGNED_IN_AT,
      words: { kind: 'text', text: 'Portico' },
      proof: null,
    },
  }),
  example(approveRequest, {
    request: { approvalId: APPROVAL_UUID },
    response: { kind: 'sign', signature: SIGNATURE_HEX },
  }),
  example(rejectRequest, { request: { approvalId: APPROVAL_UUID } }),

  example(readPassport, { query: PASSPORT_QUERY, response: PASSPORT }),
  example(readPassportStatus, { query: PASSPORT_QUERY, response: PASSPORT_SUMMARY }),
  example(readCreatorPassportStatus, { response: [PASSPORT_SUMMARY] }),
  example(readCreatorPassport, { response: [PASSPORT] }),
  example(createPassport, {
    request: { passportStructureType: 'ENTITY' },
    response: { passportUuid: PASSPORT_UUID },
  }),
  example(savePassportSection, {
    request: {
      passportUuid: PASSPORT_UUID,
      section: 'kyc',
      version: 1,
      changes: { legalName: 'Larch Partners' },
    },
    response: { isSaved: true, section: PASSPORT_SECTION },
  }),
  example(createPassportFile, {
    request: {
      passportUuid: PASSPORT_UUID,
      name: 'Bank statement.pdf',
      bytes: 300_000,
      modifiedAt: SIGNED_IN_AT,
    },
    response: { ...UPLOAD, receivedBytes: 0 },
  }),
  example(readPassportFile, { query: FILE_QUERY, response: UPLOAD }),
  example(sendPassportFilePart, {
    query: {
      ...FILE_QUERY,
      offset: { description: 'How many bytes have arrived before.', example: '0' },
    },
    request: new Uint8Array(),
    response: UPLOAD,
  }),
  example(completePassportFile, {
    request: { fileUuid: FILE_UUID },
    response: {
      file: PASSPORT_FILE,
      section: { ...PASSPORT_SECTION, section: 'attestation-verification', answers: {} },
    },
  }),
  example(removePassportFile, { request: { fileUuid: FILE_UUID }, response: { section: null } }),
  example(downloadPassportFile, { query: FILE_QUERY, response: new Uint8Array() }),
  example(reopenPassportSection, { request: { passportUuid: PASSPORT_UUID, section: 'kyc' } }),
  example(submitPassport, {
    request: { passportUuid: PASSPORT_UUID, sections: [{ section: 'kyc', version: 2 }] },
    response: PASSPORT_SUMMARY,
  }),
  example(invitePassportMember, {
    request: {
      passportUuid: PASSPORT_UUID,
      name: 'Avery Borrower',
      email: EMAIL,
      role: 'controller',
    },
    response: PASSPORT_MEMBER,
  }),
  example(removePassportMember, {
    request: { passportUuid: PASSPORT_UUID, memberUuid: MEMBER_UUID },
  }),
  example(joinPassport, { request: { passportUuid: PASSPORT_UUID } }),

  example(readReviewQueue, {
    query: {
      state: { description: 'What to list; by default what waits.', example: 'waiting' },
      organizationCode: {
        description: "One of the reviewer's organizations; by default all.",
        example: 'FIGURE',
      },
      after: {
        description: 'The place after which the page begins: `next` of the page before.',
        example: `${SIGNED_IN_AT}.${MEMBER_UUID}`,
      },
    },
    response: {
      items: [REVIEW_ITEM],
      next: null,
      counts: { waiting: 1, 'with-investor': 4, approved: 120, denied: 3 },
      organizations: [{ organizationCode: 'FIGURE', name: 'Figure' }],
    },
  }),
  example(readReview, {
    query: {
      passportUuid: { description: 'The passport.', example: PASSPORT_UUID },
      section: { description: 'The section.', example: 'kyc' },
    },
    response: {
      ...REVIEW_ITEM,
      version: 3,
      savedAt: SIGNED_IN_AT,
      isWaiting: true,
      creatorEmail: EMAIL,
      answers: PASSPORT_SECTION.answers,
      members: [PASSPORT_MEMBER],
      files: [],
      sections: [{ section: 'kyc', status: 'PENDING' }],
      history: [{ at: SIGNED_IN_AT, section: 'kyc', event: 'submitted', reason: null, by: EMAIL }],
    },
  }),
  example(decideReview, {
    request: {
      passportUuid: PASSPORT_UUID,
      section: 'kyc',
      version: 3,
      decision: { event: 'returned', reason: 'Please enter the name as it is registered.' },
    },
    response: { status: 'IN_PROGRESS', next: null },
  }),

  ...ADMIN_EXAMPLES,
])
