/**
 * The gatekeeper (§4.10): decides which page of the investor passport a flow request leads to, and which requests are
 * refused (§5).
 */
import type { FlowRequest } from '@portico/contracts/flow-request'
import type {
  PassportStatus,
  PassportStatuses,
  PassportStructureType,
} from '@portico/contracts/passport-status'
import { isSameAddress } from './bech32.ts'

/** §4.9. The statuses of an investor without identity verification are in no group unless they are in progress. */
export type StatusGroup = 'complete' | 'in-progress' | 'inactive' | 'other'

const GROUPS: Readonly<Record<PassportStatus, StatusGroup>> = {
  PENDING: 'complete',
  VALID: 'complete',
  VALID_PENDING: 'complete',
  IN_PROGRESS: 'in-progress',
  VALID_IN_PROGRESS: 'in-progress',
  VALID_NO_KYC_IN_PROGRESS: 'in-progress',
  AWAITING_EOS: 'in-progress',
  VALID_AWAITING_EOS: 'in-progress',
  VALID_NO_KYC_AWAITING_EOS: 'in-progress',
  CANCELLED: 'inactive',
  DENIED: 'inactive',
  UNKNOWN_STATUS: 'inactive',
  VALID_NO_KYC: 'other',
  VALID_NO_KYC_PENDING: 'other',
}

export const statusGroup = (status: PassportStatus): StatusGroup => GROUPS[status]

/** The parts of a passport that the gatekeeper reads. */
export interface GatekeeperPassport {
  readonly passportUuid?: string | undefined
  readonly passportStructureType?: PassportStructureType | undefined
  readonly ownerWalletAddress?: string | undefined
  readonly status: PassportStatuses
}

export interface GatekeeperInput {
  readonly request: FlowRequest
  /** The passport that the request names, or else the account's own; `failed` if it could not be loaded. */
  readonly passport: GatekeeperPassport | 'failed'
}

const LANDING = { page: 'landing' } as const
const TYPE_OF_INVESTOR = { page: 'type-of-investor' } as const

/** A page under /universal-passport. */
export type PassportPage =
  | { readonly page: 'landing' | 'type-of-investor' }
  | { readonly page: 'resume' | 'add-member'; readonly passportUuid: string }

/** Evaluates the rules in the order of §4.10. */
export function passportPage({ request, passport }: GatekeeperInput): PassportPage {
  if (passport === 'failed') return LANDING
  const passportUuid = request.passportUuid ?? passport.passportUuid
  const { kycStatus, attestationStatus, attestationVerificationStatus } = passport.status
  const { option, addOns = [] } = request
  const resume =
    passportUuid === undefined ? undefined : ({ page: 'resume', passportUuid } as const)

  if (option === 'ONLY_ADD_ONS' && addOns.length > 0 && resume) return resume
  if (option === 'ADD_MEMBER' && passportUuid !== undefined)
    return { page: 'add-member', passportUuid }
  const kyc = statusGroup(kycStatus)
  if (kycStatus === 'UNKNOWN_STATUS') return TYPE_OF_INVESTOR
  if ((kyc === 'inactive' || kyc === 'in-progress') && resume) return resume

  const selfAttestation = statusGroup(attestationStatus)
  const verification = statusGroup(attestationVerificationStatus)
  switch (request.intent) {
    case '506b':
      if (selfAttestation === 'complete') return LANDING
      return (isOpen(selfAttestation) && resume) || TYPE_OF_INVESTOR
    case '506c':
      if (verification === 'complete') return LANDING
      return ((isOpen(selfAttestation) || isOpen(verification)) && resume) || TYPE_OF_INVESTOR
    case 'kyc':
      return kyc === 'complete' ? LANDING : TYPE_OF_INVESTOR
  }
}

/** Whether it can be resumed: it was started, or ended without success. */
const isOpen = (group: StatusGroup) => group === 'in-progress' || group === 'inactive'

/** The page's path. */
export function passportPath(to: PassportPage): string {
  switch (to.page) {
    case 'landing':
      return PASSPORT_BASE
    case 'type-of-investor':
      return `${PASSPORT_BASE}/onboarding/type-of-investor`
    case 'resume':
      return `${PASSPORT_BASE}/onboarding/${to.passportUuid}/resume`
    case 'add-member':
      return `${PASSPORT_BASE}/group-manager/${to.passportUuid}/add-member`
  }
}

export const PASSPORT_BASE = '/universal-passport'

/** The page where an invited member accepts. */
export function joinPassportPath(passportUuid: string): string {
  return `${PASSPORT_BASE}/group-manager/${passportUuid}/join`
}

/**
 * The rules of §5 that a request violates. A violating request is logged and leads nowhere. Rules about a passport that
 * could not be loaded do not apply, because such a request leads to the landing page.
 */
export function flowViolations({
  request,
  passport,
  connectedGroup,
}: GatekeeperInput & {
  /** The group policy address that the user acts for. */
  readonly connectedGroup: string | undefined
}): string[] {
  const { offeringAddress, offeringAttribute, option, addOns = [], intent } = request
  const violations: string[] = []
  if (offeringAddress !== undefined && offeringAttribute === undefined) {
    violations.push('Offering Address requires an offering attribute')
  }
  if (offeringAttribute !== undefined && offeringAddress === undefined) {
    violations.push('Offering Attribute requires an offering address')
  }
  if (option === 'ONLY_ADD_ONS') {
    if (passport !== 'failed' && isOwnedByGroup(passport)) {
      const { ownerWalletAddress: owner } = passport
      const actsAsOwner =
        owner !== undefined && connectedGroup !== undefined && isSameAddress(owner, connectedGroup)
      if (!actsAsOwner) violations.push('The connected group must be the owner of the passport')
    }
    const has3c1 = addOns.includes('3c1')
    const has3c7 = addOns.includes('3c7')
    if (has3c1 && has3c7) violations.push('3c1 and 3c7 must not be requested together')
    if (intent === 'kyc' && (has3c1 || has3c7)) {
      violations.push('3c1 and 3c7 must not be requested with the intent kyc')
    }
  }
  if (option === 'EDIT_KYC') {
    if (intent !== 'kyc') violations.push('EDIT_KYC requires the intent kyc')
    if (passport !== 'failed' && !EDITABLE_KYC.includes(passport.status.kycStatus)) {
      violations.push('EDIT_KYC requires the KYC status PENDING, VALID_PENDING or VALID')
    }
  }
  return violations
}

const EDITABLE_KYC: readonly PassportStatus[] = ['PENDING', 'VALID_PENDING', 'VALID']

function isOwnedByGroup({ passportStructureType: type }: GatekeeperPassport): boolean {
  return type === 'ENTITY' || type === 'TRUST'
}
