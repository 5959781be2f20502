import type { Scope } from '@portico/rules/operator-permissions'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Limits a query to the organizations of a scope. `column` has the organization's code, such as `identities.organizationCode`. */
export function inScope(scope: Scope, column: string): RawBuilder<SqlBool> {
  if (scope.all) return sql<SqlBool>`1 = 1`
  if (scope.organizationCodes.length === 0) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join(scope.organizationCodes)})`
}
