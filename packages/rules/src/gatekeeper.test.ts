import {
  ADD_ONS,
  type AddOn,
  FLOW_OPTIONS,
  type FlowRequest,
  INTENTS,
} from '@portico/contracts/flow-request'
import { PASSPORT_STATUSES, PASSPORT_STRUCTURE_TYPES } from '@portico/contracts/passport-status'
import { describe, expect, test } from 'vitest'
import {
  flowViolations,
  type GatekeeperPassport,
  passportPage,
  passportPath,
  statusGroup,
} from './gatekeeper.ts'

const UUID = '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11'
const OWNER = 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy'
const OTHER = 'tp1pcyf6qwrpx9r8n0qsxrklvreggu6nagzpxvhxn'

const VALID: GatekeeperPassport = {
  status: {
    kycStatus: 'VALID',
    attestationStatus: 'VALID',
    attestationVerificationStatus: 'VALID',
  },
}

const combinationsOfAddOns: readonly (readonly AddOn[])[] = Array.from(
  { length: 2 ** ADD_ONS.length },
  (_, bits) => ADD_ONS.filter((_each, index) => (bits >> index) % 2 === 1),
)

/** §4.10, sentence by sentence, in the specification's words. */
function pageOfSpecification(
  { intent, option, addOns, passportUuid }: FlowRequest,
  { status }: GatekeeperPassport,
): string {
  const complete = ['PENDING', 'VALID', 'VALID_PENDING']
  const inProgress = [
    'IN_PROGRESS',
    'VALID_IN_PROGRESS',
    'VALID_NO_KYC_IN_PROGRESS',
    'AWAITING_EOS',
    'VALID_AWAITING_EOS',
    'VALID_NO_KYC_AWAITING_EOS',
  ]
  const inactive = ['CANCELLED', 'DENIED', 'UNKNOWN_STATUS']
  const landing = '/universal-passport'
  const resume = `/universal-passport/onboarding/${passportUuid}/resume`
  const typeOfInvestor = '/universal-passport/onboarding/type-of-investor'
  const kyc: string = status.kycStatus
  const b: string = status.attestationStatus
  const c: string = status.attestationVerificationStatus
  // 2. ONLY_ADD_ONS with add-ons and a passportUuid gives onboarding/{passportUuid}/resume.
  if (option === 'ONLY_ADD_ONS' && addOns && addOns.length > 0 && passportUuid) return resume
  // 3. ADD_MEMBER with a passportUuid gives group-manager/{passportUuid}/add-member.
  if (option === 'ADD_MEMBER' && passportUuid) {
    return `/universal-passport/group-manager/${passportUuid}/add-member`
  }
  // 4. KYC status unknown gives onboarding/type-of-investor.
  if (kyc === 'UNKNOWN_STATUS') return typeOfInvestor
  // 5. KYC cancelled or denied with a passportUuid, or KYC in progress with a passportUuid, gives resume.
  if ((kyc === 'CANCELLED' || kyc === 'DENIED') && passportUuid) return resume
  if (inProgress.includes(kyc) && passportUuid) return resume
  // 6. Otherwise by intent.
  if (intent === '506b') {
    if (complete.includes(b)) return landing
    if ((inProgress.includes(b) || inactive.includes(b)) && passportUuid) return resume
    return typeOfInvestor
  }
  if (intent === '506c') {
    if (complete.includes(c)) return landing
    if ((inactive.includes(b) || inProgress.includes(b)) && passportUuid) return resume
    if ((inProgress.includes(c) || inactive.includes(c)) && passportUuid) return resume
    return typeOfInvestor
  }
  return complete.includes(kyc) ? landing : typeOfInvestor
}

/** §5, rule by rule. Returns the number of violations. */
function violationsOfSpecification(
  { intent, option, addOns = [], offeringAddress, offeringAttribute }: FlowRequest,
  { passportStructureType: type, ownerWalletAddress, status }: GatekeeperPassport,
  connectedGroup: string | undefined,
): readonly string[] {
  const isOnlyAddOns = option === 'ONLY_ADD_ONS'
  const isEditKyc = option === 'EDIT_KYC'
  const rules: readonly (readonly [boolean, string])[] = [
    // offeringAddress and offeringAttribute must come together.
    [
      Boolean(offeringAddress) && !offeringAttribute,
      'Offering Address requires an offering attribute',
    ],
    [
      Boolean(offeringAttribute) && !offeringAddress,
      'Offering Attribute requires an offering address',
    ],
    // For ENTITY or TRUST passports the connected group address must equal the owner wallet address.
    [
      isOnlyAddOns &&
        (type === 'ENTITY' || type === 'TRUST') &&
        connectedGroup !== ownerWalletAddress,
      'The connected group must be the owner of the passport',
    ],
    // 3c1 and 3c7 together are prohibited.
    [
      isOnlyAddOns && addOns.includes('3c1') && addOns.includes('3c7'),
      '3c1 and 3c7 must not be requested together',
    ],
    // With intent kyc neither may be used.
    [
      isOnlyAddOns && intent === 'kyc' && (addOns.includes('3c1') || addOns.includes('3c7')),
      '3c1 and 3c7 must not be requested with the intent kyc',
    ],
    // KYC status must be PENDING, VALID_PENDING or VALID, and the intent must be kyc.
    [isEditKyc && intent !== 'kyc', 'EDIT_KYC requires the intent kyc'],
    [
      isEditKyc && !['PENDING', 'VALID_PENDING', 'VALID'].includes(status.kycStatus),
      'EDIT_KYC requires the KYC status PENDING, VALID_PENDING or VALID',
    ],
  ]
  return rules.flatMap(([isViolated, text]) => (isViolated ? [text] : []))
}

describe.each(INTENTS)('with the intent %s', (intent) => {
  test.each([undefined, ...FLOW_OPTIONS])(
    '4.10 every combination of add-ons, passport type and statuses with option %s leads where the specification says',
    (option) => {
      const differences: unknown[] = []
      let compared = 0
      for (const addOns of combinationsOfAddOns) {
        for (const passportUuid of [undefined, UUID]) {
          const request = {
            intent,
            redirectUrl: '/',
            ...(option && { option }),
            ...(addOns.length > 0 && { addOns: [...addOns] }),
            ...(passportUuid && { passportUuid }),
          }
          for (const passportStructureType of PASSPORT_STRUCTURE_TYPES) {
            for (const kycStatus of PASSPORT_STATUSES) {
              for (const attestationStatus of PASSPORT_STATUSES) {
                for (const attestationVerificationStatus of PASSPORT_STATUSES) {
                  const status = { kycStatus, attestationStatus, attestationVerificationStatus }
                  const passport = { passportStructureType, ownerWalletAddress: OWNER, status }
                  const path = passportPath(passportPage({ request, passport }))
                  const found = flowViolations({ request, passport, connectedGroup: undefined })
                  const expectedPath = pageOfSpecification(request, passport)
                  const violations = violationsOfSpecification(request, passport, undefined)
                  compared += 1
                  if (path !== expectedPath || found.join() !== violations.join()) {
                    differences.push({ request, passport, path, expectedPath, found, violations })
                  }
                }
              }
            }
          }
        }
      }
      expect(differences.slice(0, 3)).toEqual([])
      expect(compared).toBe(8 * 2 * 3 * 14 ** 3)
    },
  )

  test.each([undefined, ...FLOW_OPTIONS])(
    '5 every combination of add-ons, offering, passport type, KYC status and group with option %s violates what the specification says',
    (option) => {
      const differences: unknown[] = []
      for (const addOns of combinationsOfAddOns) {
        for (const offering of [
          {},
          { offeringAddress: OTHER },
          { offeringAttribute: 'a' },
          { offeringAddress: OTHER, offeringAttribute: 'a' },
        ]) {
          for (const passportStructureType of PASSPORT_STRUCTURE_TYPES) {
            for (const kycStatus of PASSPORT_STATUSES) {
              for (const connectedGroup of [undefined, OWNER, OTHER]) {
                const request = {
                  intent,
                  redirectUrl: '/',
                  ...offering,
                  ...(option && { option }),
                  ...(addOns.length > 0 && { addOns: [...addOns] }),
                }
                const status = { ...VALID.status, kycStatus }
                const passport = { passportStructureType, ownerWalletAddress: OWNER, status }
                const found = flowViolations({ request, passport, connectedGroup })
                const expected = violationsOfSpecification(request, passport, connectedGroup)
                if (found.join() !== expected.join()) {
                  differences.push({ request, passport, connectedGroup, found, expected })
                }
              }
            }
          }
        }
      }
      expect(differences.slice(0, 3)).toEqual([])
    },
  )
})

test('4.9 each status is in its group', () => {
  const statusesIn = (group: string) =>
    PASSPORT_STATUSES.filter((status) => statusGroup(status) === group).sort()
  expect(statusesIn('complete')).toEqual(['PENDING', 'VALID', 'VALID_PENDING'])
  expect(statusesIn('in-progress')).toEqual([
    'AWAITING_EOS',
    'IN_PROGRESS',
    'VALID_AWAITING_EOS',
    'VALID_IN_PROGRESS',
    'VALID_NO_KYC_AWAITING_EOS',
    'VALID_NO_KYC_IN_PROGRESS',
  ])
  expect(statusesIn('inactive')).toEqual(['CANCELLED', 'DENIED', 'UNKNOWN_STATUS'])
  expect(statusesIn('other')).toEqual(['VALID_NO_KYC', 'VALID_NO_KYC_PENDING'])
})

test('4.10 a load error gives the landing page, whatever was requested', () => {
  for (const option of FLOW_OPTIONS) {
    const request = {
      intent: 'kyc',
      redirectUrl: '/',
      passportUuid: UUID,
      option,
      addOns: ['SUITABILITY_QUESTIONNAIRE'],
    } satisfies FlowRequest
    expect(passportPage({ request, passport: 'failed' })).toEqual({ page: 'landing' })
    expect(flowViolations({ request, passport: 'failed', connectedGroup: undefined })).toEqual([])
  }
})

test('4.10 without a passport in the request, the account’s own counts', () => {
  const passport = {
    passportUuid: UUID,
    status: { ...VALID.status, kycStatus: 'IN_PROGRESS' as const },
  }
  const request = { intent: 'kyc', redirectUrl: '/' } as const
  expect(passportPage({ request, passport })).toEqual({ page: 'resume', passportUuid: UUID })
})

test.each([
  [{ offeringAddress: OTHER }, 'Offering Address requires an offering attribute'],
  [{ offeringAttribute: 'a' }, 'Offering Attribute requires an offering address'],
])('5 a request with %o alone is refused: %s', (offering, violation) => {
  const request = { intent: 'kyc', redirectUrl: '/', ...offering } as const
  expect(flowViolations({ request, passport: VALID, connectedGroup: undefined })).toEqual([
    violation,
  ])
})
