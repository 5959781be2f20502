import type { AuditPage } from '@portico/contracts/admin/audit'
import type { Answers } from '../testing.tsx'

const AT = Date.UTC(2026, 10, 23, 14, 12)
const LARS = '0d5f3c2a-8b1e-4a6f-9c7d-2e4b6a8c0f11'
const SAM = '3b9a7c51-6d2f-4e80-8a4b-1c5d9e7f2a22'

const line = (
  number: number,
  kind: string,
  changes: Partial<AuditPage['items'][number]> = {},
): AuditPage['items'][number] => ({
  id: `5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b${number}`,
  at: AT - number * 97_000,
  kind,
  identityUuid: LARS,
  person: 'lars.locked@portico.example',
  organizationCode: 'FIGURE',
  network: '203.0.113.24',
  operatorId: null,
  operator: null,
  details: '{}',
  sequence: 48_120 - number,
  ...changes,
})

export const AUDIT = {
  listAuditKinds: { kinds: ['account-unlocked', 'sign-in-refused', 'signed-in'] },
  searchAudit: {
    items: [
      line(10, 'signed-in', {
        sequence: null,
        details: '{"method":"password","device":"Firefox on Linux"}',
      }),
      line(11, 'account-unlocked', {
        operatorId: SAM,
        operator: 'sam.support@portico.example',
        details: '{"reason":"Called from the number that we know."}',
      }),
      line(12, 'sign-in-locked', { details: '{"attempts":5}' }),
      line(13, 'organization-published', {
        identityUuid: null,
        person: null,
        organizationCode: 'NORTHGALE',
        operatorId: 'a7c9e667-9742-40de-844b-e07fc1f90ae7',
        operator: 'rebrand-2026',
        details: '{"version":4,"reason":"The lender has a new color."}',
      }),
      line(14, 'operator-granted', {
        organizationCode: '*',
        operatorId: 'b8d0f778-a853-41ef-955c-f18ad2a01bf8',
        details: '{"role":"auditor"}',
      }),
    ],
    next: `${AT}.5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b14`,
  } satisfies AuditPage,
} satisfies Answers
