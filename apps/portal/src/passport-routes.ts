import { PASSPORT_BASE } from '@portico/rules/gatekeeper'

/** The pages of the passport (§4.10). */
export type PassportRoute =
  | { readonly page: 'landing' | 'type-of-investor' }
  | { readonly page: 'add-member' | 'join' | 'resume'; readonly passportUuid: string }

const TITLES: Readonly<Record<PassportRoute['page'], string>> = {
  landing: 'Passport',
  'type-of-investor': 'Type of investor',
  resume: 'Your passport',
  'add-member': 'Add a member',
  join: 'Invitation',
}

const UUID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'
const OF_PASSPORT = [
  ['resume', new RegExp(`^${PASSPORT_BASE}/onboarding/${UUID}/resume$`)],
  ['add-member', new RegExp(`^${PASSPORT_BASE}/group-manager/${UUID}/add-member$`)],
  ['join', new RegExp(`^${PASSPORT_BASE}/group-manager/${UUID}/join$`)],
] as const

/** The passport page at a path; undefined for other paths. */
export function passportRouteOf(path: string): PassportRoute | undefined {
  if (path === PASSPORT_BASE) return { page: 'landing' }
  if (path === `${PASSPORT_BASE}/onboarding/type-of-investor`) return { page: 'type-of-investor' }
  for (const [page, pattern] of OF_PASSPORT) {
    const passportUuid = pattern.exec(path)?.[1]
    if (passportUuid !== undefined) return { page, passportUuid }
  }
  return undefined
}

/** The title of a passport page. */
export function passportTitle({ page }: PassportRoute): string {
  return TITLES[page]
}
