import type { OperatorRole } from '@portico/contracts/admin/permissions'

/** The names of the roles, and what each is for. */
export const ROLE_WORDS: Readonly<Record<OperatorRole, { title: string; purpose: string }>> = {
  admin: { title: 'Administrator', purpose: 'everything, also operators and service tokens' },
  support: { title: 'Support', purpose: 'finds people and helps them back into their accounts' },
  reviewer: { title: 'Reviewer', purpose: 'decides about investor passports' },
  brand: { title: 'Brand manager', purpose: 'edits organizations, banners and experiments' },
  analyst: { title: 'Analyst', purpose: 'reads funnels, series and experiment results' },
  auditor: { title: 'Auditor', purpose: 'reads audit, people and operations; changes nothing' },
}
