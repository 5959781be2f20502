import type { FlowRequest } from '@portico/contracts/flow-request'
import { expect, test } from 'vitest'
import { editedSection, incompleteSections, requestedSections } from './requested-sections.ts'

type Request = Pick<FlowRequest, 'addOns' | 'intent' | 'option'>

test.each<[Request, readonly string[]]>([
  [{ intent: 'kyc' }, ['kyc']],
  [{ intent: '506b' }, ['kyc', 'self-attestation']],
  [{ intent: '506c' }, ['kyc', 'self-attestation', 'attestation-verification']],
  [
    { intent: '506b', addOns: ['3c7', 'SUITABILITY_QUESTIONNAIRE'] },
    ['kyc', 'self-attestation', '3c7', 'suitability'],
  ],
  [{ intent: '506b', option: 'ONLY_ADD_ONS', addOns: ['3c1'] }, ['3c1']],
  [{ intent: 'kyc', option: 'ONLY_ADD_ONS' }, ['kyc']],
  [{ intent: '506c', option: 'EDIT_SELF_ATTESTATION' }, ['self-attestation']],
  [
    { intent: 'kyc', option: 'EDIT_SUITABILITY', addOns: ['SUITABILITY_QUESTIONNAIRE'] },
    ['suitability'],
  ],
  [{ intent: 'kyc', option: 'EDIT_KYC_FTX_CLAIM_OFFER' }, ['kyc']],
  [{ intent: '506b', option: 'FTX_CLAIM_OFFER' }, ['kyc', 'self-attestation']],
  [{ intent: 'kyc', option: 'ADD_MEMBER' }, []],
])('3 %j asks for %j', (request, sections) => {
  expect(requestedSections(request)).toEqual(sections)
})

test('3 only an edit option names a section to change', () => {
  expect(editedSection({ option: 'EDIT_KYC' })).toBe('kyc')
  expect(editedSection({ option: 'BANKRUPTCY_REFI' })).toBeUndefined()
  expect(editedSection({ option: undefined })).toBeUndefined()
})

test('4.9 PENDING, VALID and VALID_PENDING are complete', () => {
  const statuses = { kyc: 'PENDING', 'self-attestation': 'IN_PROGRESS', '3c1': 'VALID' } as const
  const statusOf = (section: string) => statuses[section as keyof typeof statuses]
  expect(incompleteSections(['kyc', 'self-attestation', '3c1', '3c7'], statusOf)).toEqual([
    'self-attestation',
    '3c7',
  ])
})
