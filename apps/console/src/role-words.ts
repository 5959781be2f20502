import type { OperatorRole } from '@portico/contracts/admin/permissions'

/** The title and purpose of each role. */
export const ROLE_WORDS: Readonly<Record<OperatorRole, { title: string; purpose: string }>> = {
  admin: { title: 'Administrator', purpose: 'everything, including operators and service tokens' },
  support: { title: 'Support', purpose: 'finds people and helps them back into their accounts' },
  reviewer: { title: 'Reviewer', purpose: 'reviews investor passports' },
  brand: { title: 'Brand manager', purpose: 'edits organizations, banners and experiments' },
  analyst: { title: 'Analyst', purpose: 'reads funnels, series and experiment results' },
  auditor: { title: 'Auditor', purpose: 'reads the audit log, people, insight and operations' },
}
