import {
  OPERATOR_ROLES,
  type OperatorRole,
  PERMISSIONS,
  type Permission,
} from '@portico/contracts/admin/permissions'
import { expect, test } from 'vitest'
import {
  type Grant,
  includesScope,
  isEmpty,
  isInScope,
  permissionsOf,
  scopeOf,
  scopeOfCodes,
} from './operator-permissions.ts'

/** `x`: the role has the permission. The columns are the roles in their order. */
const MATRIX: Readonly<Record<Permission, string>> = {
  // admin, support, reviewer, brand, analyst, auditor
  'people.read': 'xx...x',
  'people.write': 'xx....',
  'people.impersonate': 'xx....',
  'passports.review': 'x.x...',
  'organizations.read': 'x..x..',
  'organizations.write': 'x..x..',
  'organizations.publish': 'x..x..',
  'banners.write': 'x..x..',
  'experiments.read': 'x..xx.',
  'experiments.write': 'x..x..',
  'insight.read': 'x...xx',
  'audit.read': 'x....x',
  'operations.read': 'xx...x',
  'operations.write': 'x.....',
  'operators.write': 'x.....',
  'tokens.write': 'x.....',
}

test.each(PERMISSIONS)('15 %s belongs to exactly these roles', (permission) => {
  const holders = OPERATOR_ROLES.filter(
    (role) => !isEmpty(scopeOf([{ role, organizationCode: 'A' }], permission)),
  )
  expect(holders).toEqual(OPERATOR_ROLES.filter((_, index) => MATRIX[permission][index] === 'x'))
})

const grant = (role: OperatorRole, organizationCode: string): Grant => ({ role, organizationCode })

test.each([
  [[], { organizationCodes: [] }],
  [[grant('brand', 'A')], { organizationCodes: [] }],
  [[grant('support', 'B'), grant('support', 'A')], { organizationCodes: ['A', 'B'] }],
  // Two roles for one organization, and another role for another one.
  [
    [grant('support', 'A'), grant('auditor', 'A'), grant('brand', 'B')],
    { organizationCodes: ['A'] },
  ],
  [[grant('support', 'A'), grant('auditor', '*')], { all: true }],
  // All organizations of a role without the permission.
  [[grant('support', 'A'), grant('brand', '*')], { organizationCodes: ['A'] }],
])('15 the scope of people.read with %j is %j', (grants, scope) => {
  expect(scopeOf(grants, 'people.read')).toEqual(scope)
})

test('15 a scope contains only its own organizations, and a wider one only what it includes', () => {
  const [a, ab, all, none] = [['A'], ['A', 'B'], ['*'], []].map(scopeOfCodes)
  if (!a || !ab || !all || !none) throw new Error('A scope is missing')
  expect([a, ab, all, none].map((scope) => isInScope(scope, 'B'))).toEqual([
    false,
    true,
    true,
    false,
  ])
  const outer = [a, ab, all, none]
  expect(outer.map((scope) => outer.map((inner) => includesScope(scope, inner)))).toEqual([
    [true, false, false, true],
    [true, true, false, true],
    [true, true, true, true],
    [false, false, false, true],
  ])
  expect(permissionsOf([grant('analyst', 'A')])).toEqual(['experiments.read', 'insight.read'])
})
