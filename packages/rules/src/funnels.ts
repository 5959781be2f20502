/**
 * Insight's funnels (§7.7, §7.8): what a visit did and which steps it reached. A visit counts for a step if it also did
 * everything before it, in any order, so a step never has more visits than the previous one.
 */

import { FUNNELS, type Funnel } from '@portico/contracts/admin/insight'

/** What a visit can do, each with one bit of its mask. The bits are stored, so new actions are added at the end. */
const MARKS = [
  'login-page',
  'registration-page',
  'onboarding-page',
  'wallet-page',
  'passport-page',
  'password-chosen',
  'onboarded',
  'signed-in',
  'signed-in-by-code',
  'registered',
  'password-set',
  'wallet-connected',
  'account-chosen',
  'passport-created',
  'passport-submitted',
] as const

type Mark = (typeof MARKS)[number]

/**
 * The steps of each funnel. `not` excludes visits; for example, registrations are excluded from recovery, because both set a
 * password.
 */
export const FUNNEL_STEPS: Readonly<
  Record<Funnel, { readonly steps: readonly Mark[]; readonly not?: Mark }>
> = {
  'sign-in': { steps: ['login-page', 'signed-in'] },
  registration: { steps: ['registration-page', 'registered', 'password-chosen'] },
  recovery: { steps: ['login-page', 'signed-in-by-code', 'password-set'], not: 'registered' },
  wallet: { steps: ['wallet-page', 'wallet-connected', 'account-chosen'] },
  onboarding: { steps: ['onboarding-page', 'signed-in', 'onboarded'] },
  passport: { steps: ['passport-page', 'passport-created', 'passport-submitted'] },
}

/** Pages by path prefix, longer prefixes first. */
const PAGES: readonly (readonly [path: string, mark: Mark, funnel: Funnel])[] = [
  ['/auth/credit-karma/register', 'onboarding-page', 'onboarding'],
  ['/auth/register', 'registration-page', 'registration'],
  ['/auth/login', 'login-page', 'sign-in'],
  ['/auth/wallet', 'wallet-page', 'wallet'],
  ['/universal-passport', 'passport-page', 'passport'],
]

const MARKS_BY_KIND: Readonly<Record<string, Mark>> = {
  'account-chosen': 'account-chosen',
  'hosted-account-made': 'wallet-connected',
  'hosted-account-restored': 'wallet-connected',
  'passport-created': 'passport-created',
  'passport-submitted': 'passport-submitted',
  'password-set': 'password-set',
  registered: 'registered',
  'signed-in': 'signed-in',
  'wallet-attached': 'wallet-connected',
}

const bitOf = (mark: Mark) => 1 << MARKS.indexOf(mark)

const pageOf = (path: string) =>
  PAGES.find(([start]) => path === start || path.startsWith(`${start}/`))

/** The funnel of a page. */
export function funnelOfPath(path: string): Funnel | undefined {
  return pageOf(path)?.[2]
}

/** The mask of a telemetry event. */
export function marksOfEvent({
  event,
  pagePath,
}: {
  readonly event: string
  readonly pagePath: string
}): number {
  const [, page] = pageOf(pagePath) ?? []
  if (event === 'register') {
    return bitOf('password-chosen') | (page === 'onboarding-page' ? bitOf('onboarded') : 0)
  }
  return event === 'page_view' && page !== undefined ? bitOf(page) : 0
}

/** The mask of an audit log entry. */
export function marksOfAudit(kind: string, method: unknown): number {
  const mark = Object.hasOwn(MARKS_BY_KIND, kind) ? MARKS_BY_KIND[kind] : undefined
  if (mark === undefined) return 0
  const byCode = mark === 'signed-in' && method === 'passcode'
  return bitOf(mark) | (byCode ? bitOf('signed-in-by-code') : 0)
}

/** The steps that a visit has reached, by funnel. */
export function reachedSteps(marks: number): Readonly<Record<Funnel, number>> {
  const reached = FUNNELS.map((funnel) => {
    const { steps, not } = FUNNEL_STEPS[funnel]
    if (not !== undefined && (marks & bitOf(not)) !== 0) return [funnel, 0]
    const missing = steps.findIndex((step) => (marks & bitOf(step)) === 0)
    return [funnel, missing === -1 ? steps.length : missing]
  })
  return Object.fromEntries(reached) as Record<Funnel, number> // One entry per funnel.
}

/** Whether a visit has completed a funnel. */
export function isCompleted(funnel: Funnel, reached: number): boolean {
  return reached === FUNNEL_STEPS[funnel].steps.length
}

/** The metric for visits that reached a funnel's step, counted from 0. */
export function stepMetric(funnel: Funnel, step: number): string {
  return `step.${funnel}.${step}`
}

/** The metric for visits that were shown an error on a funnel's page. */
export function problemMetric(funnel: Funnel, reason: string): string {
  return `problem.${funnel}.${reason}`
}
