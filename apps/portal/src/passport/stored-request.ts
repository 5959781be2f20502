/** The last gatekeeper flow request (§3), which says what the user needs to complete and where to continue. */
import { FlowRequest } from '@portico/contracts/flow-request'
import { parseJson } from '@portico/contracts/parse-json'
import type { Passport } from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { TextStorage } from '@portico/contracts/text-storage'
import { redirectTarget } from '@portico/rules/redirect-target'
import {
  editedSection,
  incompleteSections,
  requestedSections,
} from '@portico/rules/requested-sections'

/** The stored request; undefined if there is none or it is invalid. */
export function storedRequest(storage: TextStorage): FlowRequest | undefined {
  const parsed = FlowRequest.safeParse(parseJson(storage.read(STORAGE_KEYS.flowRequest)))
  return parsed.success ? parsed.data : undefined
}

/** The sections to fill in without a request, in addition to those already started. */
const WITHOUT_REQUEST: readonly PassportSection[] = ['kyc', 'self-attestation']

/** What a request still asks for, and where it continues. Without a request there is nowhere to continue. */
export interface Task {
  readonly sections: readonly PassportSection[]
  /** The sections that are not complete. */
  readonly open: readonly PassportSection[]
  /** The section that the request asks to change. */
  readonly edits: PassportSection | undefined
  readonly continueAt: string | undefined
  /** Where the user can continue without completing it. */
  readonly leaveAt: string | undefined
}

export function taskOf(
  request: FlowRequest | undefined,
  passport: Pick<Passport, 'passportUuid' | 'sections'> | undefined,
): Task {
  // A request for another passport does not apply to this one.
  const isOfOther =
    request?.passportUuid !== undefined &&
    passport !== undefined &&
    request.passportUuid !== passport.passportUuid
  const own = isOfOther ? undefined : request
  const begun = passport?.sections.map(({ section }) => section) ?? []
  const sections = own ? requestedSections(own) : [...new Set([...WITHOUT_REQUEST, ...begun])]
  const statusOf = (section: PassportSection) =>
    passport?.sections.find((each) => each.section === section)?.status
  return {
    sections,
    open: incompleteSections(sections, statusOf),
    edits: own && editedSection(own),
    continueAt: own && redirectTarget(own.redirectUrl),
    leaveAt:
      own?.incompleteRedirectUrl === undefined
        ? undefined
        : redirectTarget(own.incompleteRedirectUrl),
  }
}
