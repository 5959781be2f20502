/** The investor passport (§7.6): whether an account's owner may invest, and what is left to complete. */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { PASSPORT_STATUSES, PASSPORT_STRUCTURE_TYPES } from './passport-status.ts'
import { Uuid } from './text.ts'

const BASE = '/service-universal-passport/identity/secure/api/v1'

/** The header with the token of the connected wallet, besides the session's. */
export const WALLET_AUTHORIZATION_HEADER = 'x-wallet-authorization'

const PassportStatus = z.enum(PASSPORT_STATUSES)

const Statuses = z.object({
  kycStatus: PassportStatus,
  attestationStatus: PassportStatus,
  attestationVerificationStatus: PassportStatus,
})

/** Without a passport, every status is `UNKNOWN_STATUS` and there is no `passportUuid`. */
export const PassportSummary = z.object({
  passportUuid: z.optional(Uuid),
  passportStructureType: z.optional(z.enum(PASSPORT_STRUCTURE_TYPES)),
  ownerWalletAddress: z.optional(z.string()),
  status: Statuses,
})

export type PassportSummary = z.output<typeof PassportSummary>

/** Reads one of the user's passports; without `passportUuid`, that of the account. */
const ofPassport = z.strictObject({ passportUuid: z.optional(Uuid) })

export const readPassportStatus = call({
  name: 'readPassportStatus',
  summary: 'Read the statuses of the passport of the account that the user acts as.',
  method: 'GET',
  path: `${BASE}/gateway/passport-status`,
  auth: 'session',
  headers: { [WALLET_AUTHORIZATION_HEADER]: 'The token of the connected wallet.' },
  query: ofPassport,
  answer: PassportSummary,
  refusals: ['not-found'],
})
