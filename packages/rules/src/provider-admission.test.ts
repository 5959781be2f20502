import { expect, test } from 'vitest'
import { profileTypeOf, providerAdmission, userTypeOf } from './provider-admission.ts'

type Input = Parameters<typeof providerAdmission>[0]

const EMAIL = 'nora@lender.example'
const CUSTOMER = {
  profileType: 'CUSTOMER',
  locked: false,
  secondStep: false,
  managedElsewhere: false,
  ofOrganization: true,
} as const
const NEW: Input = {
  person: {
    subject: 'subject',
    email: EMAIL,
    emailVerified: undefined,
    groups: [],
    groupsOmitted: false,
  },
  provider: { userType: 'customer', requiredGroup: undefined },
  expectedEmail: undefined,
  isDomainVerified: true,
  directory: undefined,
  known: undefined,
  sameAddress: undefined,
}

const person = (changes: Partial<Input['person']>) => ({ person: { ...NEW.person, ...changes } })
const inGroup = { provider: { userType: 'customer', requiredGroup: 'lending' } } as const
const directory = (group: 'member' | 'left' | 'none', active = true) => ({
  directory: { active, group },
})
const refused = (reason: string) => ({ kind: 'refused', reason })

test.each<[string, Partial<Input>, unknown]>([
  ['a first login creates the account', {}, { kind: 'provisioned', email: EMAIL }],
  [
    'an address that the provider has verified',
    person({ emailVerified: true }),
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'an address that it has not verified',
    person({ emailVerified: false }),
    refused('unverified-email'),
  ],
  ['no address', person({ email: undefined }), refused('unverified-email')],
  ['an address of another domain', { isDomainVerified: false }, refused('unverified-email')],
  ['a person with an account', { known: CUSTOMER }, { kind: 'signedIn' }],
  [
    'a person with an account, after the address moved to another domain',
    { known: CUSTOMER, isDomainVerified: false },
    { kind: 'signedIn' },
  ],
  [
    'a person with an account, without an address',
    { known: CUSTOMER, ...person({ email: undefined }) },
    { kind: 'signedIn' },
  ],
  ['a person with a locked account', { known: { ...CUSTOMER, locked: true } }, refused('locked')],
  [
    'a customer with the account of an agent',
    { known: { ...CUSTOMER, profileType: 'AGENT' } },
    refused('other-user-type'),
  ],
  [
    'an account with the same address',
    { sameAddress: CUSTOMER },
    { kind: 'linkable', email: EMAIL },
  ],
  [
    'an account with the same address outside the domain',
    { sameAddress: CUSTOMER, isDomainVerified: false },
    refused('unverified-email'),
  ],
  [
    'an account with the same address and a second step',
    { sameAddress: { ...CUSTOMER, secondStep: true } },
    refused('protected'),
  ],
  [
    'an account with the same address of another organization',
    { sameAddress: { ...CUSTOMER, ofOrganization: false } },
    refused('other-organization'),
  ],
  [
    'an account with the same address of an agent',
    { sameAddress: { ...CUSTOMER, profileType: 'AGENT' } },
    refused('other-user-type'),
  ],
  ['the address that was entered', { expectedEmail: EMAIL }, { kind: 'provisioned', email: EMAIL }],
  ['another one', { expectedEmail: 'other@lender.example' }, refused('other-email')],
  [
    'another one, of a person with an account',
    { known: CUSTOMER, expectedEmail: 'other@lender.example' },
    refused('other-email'),
  ],
  [
    'a member of the required group',
    { ...inGroup, ...person({ groups: ['staff', 'lending'] }) },
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'no member of the required group',
    { ...inGroup, ...person({ groups: ['lending-read'] }) },
    refused('group-missing'),
  ],
  ['no longer a member', { ...inGroup, known: CUSTOMER }, refused('group-missing')],
  [
    'a member of the required group in the directory alone',
    { ...inGroup, ...directory('member') },
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'a person of the directory who is a member by the answer of the provider alone',
    { ...inGroup, ...directory('none'), ...person({ groups: ['lending'] }) },
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'a person who left the required group in the directory, but not yet in the answer of the provider',
    { ...inGroup, ...directory('left'), ...person({ groups: ['lending'] }) },
    refused('group-missing'),
  ],
  [
    'a person whose groups the provider left out',
    { ...inGroup, known: CUSTOMER, ...person({ groupsOmitted: true }) },
    refused('groups-omitted'),
  ],
  [
    'a member of the required group, some of whose groups the provider left out',
    { ...inGroup, ...person({ groups: ['lending'], groupsOmitted: true }) },
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'a member of the required group in the directory, whose groups the provider left out',
    { ...inGroup, ...directory('member'), ...person({ groupsOmitted: true }) },
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'a person who left the required group in the directory, whose groups the provider left out',
    { ...inGroup, ...directory('left'), ...person({ groupsOmitted: true }) },
    refused('group-missing'),
  ],
  [
    'groups that the provider left out, if none is required',
    person({ groupsOmitted: true }),
    { kind: 'provisioned', email: EMAIL },
  ],
  [
    'a person with an account who left the directory',
    { ...directory('none', false), known: CUSTOMER },
    refused('left-directory'),
  ],
  [
    'a first login of a person who left the directory',
    directory('none', false),
    refused('left-directory'),
  ],
])('4.4 a login at an identity provider: %s', (_, changes, expected) => {
  expect(providerAdmission({ ...NEW, ...changes })).toEqual(expected)
})

test('6 customers and broker agents are different types of account', () => {
  expect([profileTypeOf('customer'), profileTypeOf('agent')]).toEqual(['CUSTOMER', 'AGENT'])
  expect([userTypeOf('CUSTOMER'), userTypeOf('AGENT')]).toEqual(['customer', 'agent'])
})
