import type { IdentitiesTable } from '../database/tables.ts'

/** Somebody to sign in as in demonstration mode. */
export interface DemonstrationPerson {
  readonly email: string
  /** Absent where the person has no password and signs in by passcode. */
  readonly password?: string
  readonly purpose: string
  readonly state: {
    readonly organizationCode: string
    readonly profileType?: IdentitiesTable['profile_type']
    readonly loginRedirect?: string
    readonly locked?: boolean
    readonly passwordExpired?: boolean
  }
}

/** The people of demonstration mode; the README's table is generated from here. */
export const DEMONSTRATION_PEOPLE: readonly DemonstrationPerson[] = [
  {
    email: 'olive.plain@portico.example',
    password: 'quiet-harbour-71-lantern',
    purpose: 'A plain login with a password, or with a passcode from the mailbox',
    state: { organizationCode: 'FIGURE' },
  },
  {
    email: 'piet.passcode@portico.example',
    purpose: 'Has no password yet: logs in with a passcode and is asked to choose one',
    state: { organizationCode: 'FIGURE' },
  },
  {
    email: 'edda.expired@portico.example',
    password: 'amber-kettle-38-meadow',
    purpose: "An expired password: 'Reset Password' after the login",
    state: { organizationCode: 'FIGURE', passwordExpired: true },
  },
  {
    email: 'lars.locked@portico.example',
    password: 'copper-window-52-thistle',
    purpose: "A locked account: 'Your account is locked. Please contact support.'",
    state: { organizationCode: 'FIGURE', locked: true },
  },
  {
    email: 'mona.moved@portico.example',
    password: 'silver-orchard-64-pebble',
    purpose: "An account whose login has moved: 'Login Redirecting'",
    state: { organizationCode: 'FIGURE', loginRedirect: '/account/heloc' },
  },
  {
    email: 'wim.wholesale@portico.example',
    password: 'violet-anchor-29-marble',
    purpose: 'A customer of the wholesale organisation (?orgCode=FIGURE_WHOLESALE)',
    state: { organizationCode: 'FIGURE_WHOLESALE' },
  },
  {
    email: 'bruna.broker@portico.example',
    password: 'golden-ferry-83-willow',
    purpose: 'A broker agent: stays on the login page when heading to /portfolio',
    state: { organizationCode: 'FIGURE_WHOLESALE', profileType: 'AGENT' },
  },
]
