/** Operators' roles and the permissions that admin API calls require. */

export const OPERATOR_ROLES = [
  'admin',
  'support',
  'reviewer',
  'brand',
  'analyst',
  'auditor',
] as const

export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const PERMISSIONS = [
  'people.read',
  'people.write',
  'people.impersonate',
  'passports.review',
  'organizations.read',
  'organizations.write',
  'organizations.publish',
  'banners.write',
  'experiments.read',
  'experiments.write',
  'insight.read',
  'audit.read',
  'operations.read',
  'operations.write',
  'operators.write',
  'tokens.write',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/**
 * Not available to new service tokens: a token could create its own successor, or view people's pages without anyone being
 * accountable. Passports are reviewed on the reviewer's own pages, not by calls of the admin API.
 */
export const PERSON_PERMISSIONS: readonly Permission[] = [
  'people.impersonate',
  'passports.review',
  'operators.write',
  'tokens.write',
]

/** Stands for all organizations, including those added later. */
export const ALL_ORGANIZATIONS = '*'
