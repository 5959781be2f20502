import type { OperatorItem } from '@portico/contracts/admin/operators'
import type { Answers } from '../testing.tsx'

export const OPERATORS = {
  listOperators: {
    items: [
      {
        identityUuid: '0d5f3c2a-8b1e-4a6f-9c7d-2e4b6a8c0f11',
        email: 'ada.admin@portico.example',
        roles: [{ role: 'admin', organizationCode: '*' }],
      },
      {
        identityUuid: '3b9a7c51-6d2f-4e80-8a4b-1c5d9e7f2a22',
        email: 'harper.support@portico.example',
        roles: [
          { role: 'support', organizationCode: 'HARBORLINE' },
          { role: 'support', organizationCode: 'NORTHGALE' },
        ],
      },
    ] satisfies OperatorItem[],
    next: null,
  },
} satisfies Answers
