/** The sections that a flow request asks for (§3), and whether they are complete. */
import type { FlowRequest } from '@portico/contracts/flow-request'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { PassportStatus } from '@portico/contracts/passport-status'
import { statusGroup } from './gatekeeper.ts'

const BY_INTENT: Readonly<Record<FlowRequest['intent'], readonly PassportSection[]>> = {
  kyc: ['kyc'],
  '506b': ['kyc', 'self-attestation'],
  '506c': ['kyc', 'self-attestation', 'attestation-verification'],
}

/** Options that ask for one section regardless of intent. */
const BY_OPTION: Readonly<Partial<Record<NonNullable<FlowRequest['option']>, PassportSection>>> = {
  EDIT_KYC: 'kyc',
  EDIT_SELF_ATTESTATION: 'self-attestation',
  EDIT_ATTESTATION_VERIFICATION: 'attestation-verification',
  EDIT_SUITABILITY: 'suitability',
  EDIT_KYC_BANKRUPTCY_REFI: 'kyc',
  EDIT_KYC_FTX_CLAIM_OFFER: 'kyc',
}

/** The section that a request wants edited; undefined if it does not ask for a change. */
export function editedSection({
  option,
}: Pick<FlowRequest, 'option'>): PassportSection | undefined {
  return option && BY_OPTION[option]
}

/** The sections that a request asks for, in the order they are filled in. */
export function requestedSections(
  request: Pick<FlowRequest, 'addOns' | 'intent' | 'option'>,
): readonly PassportSection[] {
  const { intent, option, addOns = [] } = request
  const added = addOns.map(
    (addOn): PassportSection => (addOn === 'SUITABILITY_QUESTIONNAIRE' ? 'suitability' : addOn),
  )
  if (option === 'ADD_MEMBER') return []
  if (option === 'ONLY_ADD_ONS' && added.length > 0) return added
  const edited = editedSection(request)
  return [...new Set([...(edited ? [edited] : BY_INTENT[intent]), ...added])]
}

/** The requested sections that are not complete (§4.9). A section without a status was not started. */
export function incompleteSections(
  sections: readonly PassportSection[],
  statusOf: (section: PassportSection) => PassportStatus | undefined,
): readonly PassportSection[] {
  return sections.filter(
    (section) => statusGroup(statusOf(section) ?? 'UNKNOWN_STATUS') !== 'complete',
  )
}
