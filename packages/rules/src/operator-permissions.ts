/** Operator permissions: the permissions of each role, and the organizations that a grant is limited to. */
import {
  ALL_ORGANIZATIONS,
  OPERATOR_ROLES,
  type OperatorRole,
  PERMISSIONS,
  type Permission,
} from '@portico/contracts/admin/permissions'

export const ROLE_PERMISSIONS: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  admin: PERMISSIONS,
  support: ['people.read', 'people.write', 'people.impersonate', 'operations.read'],
  reviewer: ['passports.review'],
  brand: [
    'organizations.read',
    'organizations.write',
    'organizations.publish',
    'banners.write',
    'experiments.read',
    'experiments.write',
  ],
  analyst: ['insight.read', 'experiments.read'],
  auditor: ['audit.read', 'people.read', 'operations.read', 'insight.read'],
}

/** The roles that have a permission. */
export function rolesWith(permission: Permission): readonly OperatorRole[] {
  return OPERATOR_ROLES.filter((role) => ROLE_PERMISSIONS[role].includes(permission))
}

/** A role for one organization, or for all of them. */
export interface Grant {
  readonly role: OperatorRole
  readonly organizationCode: string
}

/** The organizations for which an operator has a permission. */
export type Scope =
  | { readonly all: true }
  | { readonly all?: undefined; readonly organizationCodes: readonly string[] }

/** The scope of a permission; empty if the grants do not include it. */
export function scopeOf(grants: readonly Grant[], permission: Permission): Scope {
  return scopeOfCodes(
    grants
      .filter(({ role }) => ROLE_PERMISSIONS[role].includes(permission))
      .map(({ organizationCode }) => organizationCode),
  )
}

/** The scope of a list of codes, which may include `*`. */
export function scopeOfCodes(codes: readonly string[]): Scope {
  return codes.includes(ALL_ORGANIZATIONS)
    ? { all: true }
    : { organizationCodes: [...new Set(codes)].sort() }
}

/** Every permission that the grants include for at least one organization. */
export function permissionsOf(grants: readonly Grant[]): readonly Permission[] {
  return PERMISSIONS.filter((permission) => !isEmpty(scopeOf(grants, permission)))
}

export function isEmpty(scope: Scope): boolean {
  return !scope.all && scope.organizationCodes.length === 0
}

export function isInScope(scope: Scope, organizationCode: string): boolean {
  return scope.all === true || scope.organizationCodes.includes(organizationCode)
}

/** Whether one scope contains every organization of another. */
export function includesScope(outer: Scope, inner: Scope): boolean {
  if (outer.all) return true
  return !inner.all && inner.organizationCodes.every((code) => isInScope(outer, code))
}
