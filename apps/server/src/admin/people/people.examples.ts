import {
  changePersonOrganization,
  deletePerson,
  endPersonSessions,
  exportPerson,
  findPeople,
  lockPerson,
  readPerson,
  resendPersonMessage,
  resetPersonFactor,
  unlockPerson,
} from '@portico/contracts/admin/people'
import { example } from '../../operations/openapi-example.ts'

const AT = 1_767_225_600_000
const IDENTITY_UUID = '0d3f1f8e-52a4-4f3b-8a7f-6b1f0a4f9e21'
const MESSAGE_UUID = '5d1f6a0e-3c1b-4e0a-9a52-0f9d4f2f7c11'
const EMAIL = 'avery.borrower@example.com'
const WALLET_ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

const PERSON = {
  identityUuid: IDENTITY_UUID,
  email: EMAIL,
  name: null,
  organizationCode: 'HARBORLINE',
  profileType: 'CUSTOMER',
  lockedAt: AT,
  createdAt: AT,
} as const

const TARGET = { identityUuid: IDENTITY_UUID, reason: 'Called, and answered the questions.' }
const CHANGED = { response: { changed: true } }

export const PEOPLE_EXAMPLES = [
  example(findPeople, {
    query: {
      search: {
        description: 'A whole e-mail address, phone number, ID, or address of a wallet or account.',
        example: EMAIL,
      },
      organizationCode: { description: 'One organization; by default all.', example: 'HARBORLINE' },
      after: { description: '`next` of the page before.', example: `${AT}.${IDENTITY_UUID}` },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: { items: [PERSON], next: null },
  }),
  example(readPerson, {
    query: { identityUuid: { description: 'The person.', example: IDENTITY_UUID } },
    response: {
      ...PERSON,
      updatedAt: AT,
      isOperator: false,
      factors: {
        hasPassword: true,
        passwordExpired: false,
        email: false,
        totp: true,
        phones: [{ value: '+12015550142', verifiedAt: AT }],
        passkeys: [],
        questions: 0,
        recoveryCodesLeft: 8,
        providers: [],
      },
      sessions: [],
      devices: [{ firstSeenAt: AT, lastSeenAt: AT, trustedUntil: null }],
      wallets: [{ address: WALLET_ADDRESS, name: 'Everyday', type: 'FIGURE', verifiedAt: AT }],
      accounts: [],
      passports: [],
      roles: [],
      messages: [
        {
          messageUuid: MESSAGE_UUID,
          channel: 'email',
          kind: 'passcode',
          createdAt: AT,
          state: 'waiting',
          attempts: 3,
        },
      ],
      events: [
        {
          at: AT,
          kind: 'person-locked',
          network: '203.0.113.0/24',
          operator: 'sam.support@lender.example',
          reason: 'Reported a stolen phone.',
        },
      ],
    },
  }),
  example(unlockPerson, { request: TARGET, ...CHANGED }),
  example(lockPerson, { request: TARGET, ...CHANGED }),
  example(endPersonSessions, { request: TARGET, ...CHANGED }),
  example(resetPersonFactor, { request: { ...TARGET, factor: 'totp' }, ...CHANGED }),
  example(changePersonOrganization, {
    request: { ...TARGET, organizationCode: 'FIGURE' },
    ...CHANGED,
  }),
  example(resendPersonMessage, { request: { ...TARGET, messageUuid: MESSAGE_UUID }, ...CHANGED }),
  example(exportPerson, {
    request: TARGET,
    response: {
      exportedAt: '2026-01-01T00:00:00.000Z',
      identity: {
        uuid: IDENTITY_UUID,
        email: EMAIL,
        organizationCode: 'HARBORLINE',
        profileType: 'CUSTOMER',
        givenName: null,
        familyName: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
        hasPassword: true,
        aliases: [{ type: 'Email', value: EMAIL }],
      },
      security: {
        emailFactorEnabled: false,
        totpEnabled: false,
        recoveryQuestions: [],
        recoveryCodesLeft: 0,
        passkeys: [],
        identityProviders: [],
        sessions: [],
      },
      wallets: [],
      organizationAccounts: [],
      passports: [],
      walletRequests: [],
      arrivedWith: null,
      events: [],
    },
  }),
  example(deletePerson, {
    request: { ...TARGET, email: EMAIL, deleteHostedWallets: true },
    ...CHANGED,
  }),
]
