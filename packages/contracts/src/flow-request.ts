/** A request to the gatekeeper (§3, §4.10): what the user is to complete, and where to continue. */
import * as z from 'zod/mini'
import { Uuid, visibleText } from './text.ts'

export const INTENTS = ['kyc', '506b', '506c'] as const

export const ADD_ONS = ['3c7', '3c1', 'SUITABILITY_QUESTIONNAIRE'] as const

export const FLOW_OPTIONS = [
  'ONLY_ADD_ONS',
  'EDIT_KYC',
  'EDIT_SELF_ATTESTATION',
  'EDIT_ATTESTATION_VERIFICATION',
  'EDIT_SUITABILITY',
  'ADD_MEMBER',
  'BANKRUPTCY_REFI',
  'EDIT_KYC_BANKRUPTCY_REFI',
  'FTX_CLAIM_OFFER',
  'EDIT_KYC_FTX_CLAIM_OFFER',
] as const

/** The maximum number of specialties in a request. */
const MAX_SPECIALTIES = 20

export const FlowRequest = z.strictObject({
  intent: z.enum(INTENTS),
  /** Where the user continues once everything is complete. */
  redirectUrl: z.string().check(z.maxLength(2048)),
  passportUuid: z.optional(Uuid),
  offeringAddress: z.optional(visibleText({ max: 90 })),
  offeringAttribute: z.optional(visibleText({ max: 255 })),
  addOns: z.optional(z.array(z.enum(ADD_ONS)).check(z.minLength(1), z.maxLength(ADD_ONS.length))),
  option: z.optional(z.enum(FLOW_OPTIONS)),
  description: z.optional(visibleText({ max: 500 })),
  specialties: z.optional(
    z.array(visibleText({ max: 60 })).check(z.minLength(1), z.maxLength(MAX_SPECIALTIES)),
  ),
  /** Where the user may continue before everything is complete. */
  incompleteRedirectUrl: z.optional(z.string().check(z.maxLength(2048))),
})

export type FlowRequest = z.output<typeof FlowRequest>
export type Intent = FlowRequest['intent']
export type FlowOption = (typeof FLOW_OPTIONS)[number]
export type AddOn = (typeof ADD_ONS)[number]
