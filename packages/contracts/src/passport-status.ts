/** The statuses of a passport (§4.9). */

export const PASSPORT_STATUSES = [
  'UNKNOWN_STATUS',
  'IN_PROGRESS',
  'PENDING',
  'VALID',
  'VALID_PENDING',
  'CANCELLED',
  'DENIED',
  'VALID_NO_KYC',
  'VALID_NO_KYC_PENDING',
  'AWAITING_EOS',
  'VALID_AWAITING_EOS',
  'VALID_NO_KYC_AWAITING_EOS',
  'VALID_IN_PROGRESS',
  'VALID_NO_KYC_IN_PROGRESS',
] as const

export type PassportStatus = (typeof PASSPORT_STATUSES)[number]

/** What a passport is for. A person's own passport has no structure to declare. */
export const PASSPORT_STRUCTURE_TYPES = ['INDIVIDUAL', 'ENTITY', 'TRUST'] as const

export type PassportStructureType = (typeof PASSPORT_STRUCTURE_TYPES)[number]

/** The three statuses of a passport: identity, self attestation (506b), attestation verification (506c). */
export interface PassportStatuses {
  readonly kycStatus: PassportStatus
  readonly attestationStatus: PassportStatus
  readonly attestationVerificationStatus: PassportStatus
}
