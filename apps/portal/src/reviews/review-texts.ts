import type { Review, ReviewState } from '@portico/contracts/passport-review'
import { type PassportSection, SECTION_TITLES } from '@portico/contracts/passport-sections'
import { shortAddress } from '@portico/rules/short-address'
import { pageTitle } from '../passport-texts.ts'

/** The section names for reviewers, without 'your'. */
export const REVIEWED_TITLES: Readonly<Record<PassportSection, string>> = {
  ...SECTION_TITLES,
  kyc: 'Identity',
  'attestation-verification': 'Verification of the attestation',
}

/** The title of a form's page for a reviewer. */
export const reviewedPageTitle = (page: string): string =>
  page === 'person' ? 'The investor' : pageTitle(page)

/** What happened to a section, followed by who did it. */
export const ENTRY_LABELS: Readonly<Record<Review['history'][number]['event'], string>> = {
  submitted: 'submitted',
  approved: 'approved',
  returned: 'asked for more',
  denied: 'denied',
}

export const STATE_LABELS: Readonly<Record<ReviewState, string>> = {
  waiting: 'Waiting',
  'with-investor': 'With the investor',
  approved: 'Approved',
  denied: 'Not approved',
}

/** The submitter, or the account until a name is entered. */
export const investorText = ({
  name,
  ownerWalletAddress,
}: {
  name: string
  ownerWalletAddress: string
}): string => name || shortAddress(ownerWalletAddress)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How long a section has been waiting, in the largest whole unit. */
export function waitText(submittedAt: number, now: number): string {
  const waited = now - submittedAt
  if (waited < HOUR_MS) return 'less than an hour'
  const [count, unit] =
    waited < 2 * DAY_MS
      ? [Math.floor(waited / HOUR_MS), 'hour']
      : [Math.floor(waited / DAY_MS), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
