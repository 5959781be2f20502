/** Answers for the gallery and tests. */
import type { Person, PersonItem } from '@portico/contracts/admin/people'

const AT = Date.UTC(2026, 10, 23, 9, 41)
const DAY_MS = 86_400_000

export const LARS: PersonItem = {
  identityUuid: '0f0c9a52-6a3f-4e4e-9c53-61f0a7d3b201',
  email: 'lars.locked@portico.example',
  name: null,
  organizationCode: 'FIGURE',
  profileType: 'CUSTOMER',
  lockedAt: AT - DAY_MS,
  createdAt: AT - 90 * DAY_MS,
}

const person = (changes: Partial<PersonItem>): PersonItem => ({
  ...LARS,
  lockedAt: null,
  ...changes,
})

export const PERSON: Person = {
  ...LARS,
  updatedAt: AT,
  isOperator: false,
  directoryLocks: [],
  attempts: { wrong: 0, lockedUntil: null, isSecondStepClosed: false },
  factors: {
    hasPassword: true,
    passwordExpired: false,
    email: true,
    totp: true,
    phones: [{ value: '+1 201 555 0123', verifiedAt: AT }],
    passkeys: [{ name: 'My laptop', createdAt: AT, lastUsedAt: null }],
    questions: 3,
    recoveryCodesLeft: 8,
    providers: [],
  },
  sessions: [
    {
      uuid: '17c2e9a4-6b38-4f7d-8e15-92d4c0b8a602',
      device: 'Chrome on Windows',
      network: '192.0.2.0/24',
      method: 'password',
      signedInAt: AT - 3_600_000,
    },
  ],
  devices: [{ firstSeenAt: AT - DAY_MS, lastSeenAt: AT, trustedUntil: null }],
  wallets: [
    {
      address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
      name: 'Everyday',
      type: 'FIGURE',
      verifiedAt: AT,
    },
  ],
  accounts: [],
  passports: [
    {
      passportUuid: '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11',
      type: 'INDIVIDUAL',
      organizationCode: 'FIGURE',
      ownerWalletAddress: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
      createdAt: AT,
    },
  ],
  roles: [],
  messages: [
    {
      messageUuid: '38e6b0d9-4f12-4c85-b7a9-d05c2e71f804',
      channel: 'email',
      kind: 'lockoutLinkMail',
      createdAt: AT,
      state: 'waiting',
      attempts: 2,
    },
    {
      messageUuid: '48e6b0d9-4f12-4c85-b7a9-d05c2e71f804',
      channel: 'email',
      kind: 'newDeviceMail',
      createdAt: AT - DAY_MS,
      state: 'sent',
      attempts: 1,
    },
  ],
  events: [
    {
      at: AT - DAY_MS,
      kind: 'sign-in-locked',
      network: '192.0.2.0/24',
      operator: null,
      reason: null,
    },
    {
      at: AT - 2 * DAY_MS,
      kind: 'sessions-ended',
      network: '198.51.100.0/24',
      operator: 'sam.support@portico.example',
      reason: 'Reported a stolen laptop in ticket 4711',
    },
  ],
}

/** Locked out after wrong attempts. */
export const LOCKED_OUT: Person = {
  ...PERSON,
  lockedAt: null,
  attempts: { wrong: 12, lockedUntil: AT + 240_000, isSecondStepClosed: true },
}

export const PEOPLE = {
  findPeople: {
    items: [
      LARS,
      person({
        identityUuid: '1f0c9a52-6a3f-4e4e-9c53-61f0a7d3b201',
        email: 'maximiliane.hohenstein@longest-mail-domain.example',
        name: 'Maximiliane Hohenstein-Wittgenstein',
        organizationCode: 'NORTHGALE',
      }),
      person({
        identityUuid: '2f0c9a52-6a3f-4e4e-9c53-61f0a7d3b201',
        email: 'bo.broker@portico.example',
        name: 'Bo Broker',
        profileType: 'AGENT',
        organizationCode: 'HARBORLINE',
      }),
    ],
    next: 'cursor',
  },
  readPerson: PERSON,
}
