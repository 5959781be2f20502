import type { Permission } from '@portico/contracts/admin/permissions'
import { CONSOLE_PATH } from '@portico/contracts/console-page'
import type { IconName } from '@portico/ui/icon'

/** An entry of the side navigation. It is shown to operators with one of its permissions. */
export interface Section {
  readonly name: string
  readonly title: string
  readonly href: string
  readonly icon: IconName
  readonly permissions: readonly Permission[]
  /** Whether its lists can be limited to one organization. */
  readonly byOrganization: boolean
}

const section = (
  name: string,
  title: string,
  icon: IconName,
  permissions: readonly Permission[],
  { byOrganization = false, href = `${CONSOLE_PATH}/${name}` } = {},
): Section => ({ name, title, href, icon, permissions, byOrganization })

export const SECTIONS: readonly Section[] = [
  section('people', 'People', 'person', ['people.read'], { byOrganization: true }),
  section('organizations', 'Organizations', 'building', ['organizations.read']),
  section('insight', 'Insight', 'activity', ['insight.read'], { byOrganization: true }),
  section('banners', 'Banners', 'info', ['banners.write']),
  section('experiments', 'Experiments', 'scan', ['experiments.read']),
  section('approvals', 'Approvals', 'check', [
    'people.write',
    'organizations.publish',
    'banners.write',
    'experiments.write',
    'operators.write',
    'tokens.write',
  ]),
  section('audit', 'Audit', 'shield', ['audit.read'], { byOrganization: true }),
  section('operations', 'Operations', 'clock', ['operations.read']),
  section('operators', 'Operators', 'settings', ['operators.write']),
  section('tokens', 'Service tokens', 'lock', ['tokens.write']),
  // Reviewers decide in the portal, beside their own passport.
  section('reviews', 'Reviews', 'review', ['passports.review'], { href: '/dashboard/reviews' }),
]

/** The name of the section and what follows it in the path, such as an identifier. */
export function routeOf(path: string): { readonly section: string; readonly rest: string } {
  const [, , name = '', ...rest] = path.split('/')
  return { section: name, rest: rest.join('/') }
}

/** The identifier in a part of a path; as it is if it is not encoded correctly. */
export function idIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // No object has this identifier; its page says so.
  }
}

/** The page of an object, such as a person. */
export const objectPath = (name: string, id: string) =>
  `${CONSOLE_PATH}/${name}/${encodeURIComponent(id)}`
