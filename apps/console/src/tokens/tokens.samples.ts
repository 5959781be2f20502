import type { ServiceTokenItem } from '@portico/contracts/admin/operators'
import type { Answers } from '../testing.tsx'

const AT = Date.UTC(2026, 10, 1)
const DAY_MS = 86_400_000

export const TOKEN: ServiceTokenItem = {
  tokenUuid: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b10',
  name: 'crm-sync',
  permissions: ['people.read', 'audit.read'],
  organizationCodes: ['*'],
  createdAt: AT,
  expiresAt: AT + 90 * DAY_MS,
  lastUsedAt: AT + 22 * DAY_MS,
  revokedAt: null,
}

export const TOKENS = {
  listServiceTokens: {
    items: [
      TOKEN,
      {
        ...TOKEN,
        tokenUuid: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b11',
        name: 'rebrand-2026',
        permissions: ['organizations.read', 'organizations.write'],
        organizationCodes: ['HARBORLINE'],
        lastUsedAt: null,
        revokedAt: AT + DAY_MS,
      },
    ] satisfies ServiceTokenItem[],
    next: null,
  },
} satisfies Answers
