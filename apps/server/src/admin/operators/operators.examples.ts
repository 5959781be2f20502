import {
  createServiceToken,
  listServiceTokens,
  readOperator,
  revokeServiceToken,
} from '@portico/contracts/admin/operators'
import { example } from '../../operations/openapi-example.ts'

const AT = 1_767_225_600_000
const TOKEN_UUID = '3b2a1908-f7e6-4d5c-8b4a-392817065f61'

export const OPERATOR_EXAMPLES = [
  example(readOperator, {
    response: {
      kind: 'person',
      name: 'avery.admin@lender.example',
      access: 'granted',
      roles: [{ role: 'support', organizationCode: 'HARBORLINE' }],
      permissions: [
        { permission: 'people.read', scope: { organizationCodes: ['HARBORLINE'] } },
        { permission: 'people.write', scope: { organizationCodes: ['HARBORLINE'] } },
      ],
      organizations: [{ organizationCode: 'HARBORLINE', name: 'Harborline' }],
      confirmedUntil: AT + 300_000,
      idleAt: AT + 900_000,
    },
  }),
  example(listServiceTokens, {
    query: {
      after: { description: '`next` of the page before.', example: `${AT}.${TOKEN_UUID}` },
      limit: { description: 'The most items; by default 50.', example: '20' },
    },
    response: {
      items: [
        {
          tokenUuid: TOKEN_UUID,
          name: 'crm-sync',
          permissions: ['people.read'],
          organizationCodes: ['HARBORLINE'],
          createdAt: AT,
          expiresAt: AT + 7_776_000_000,
          lastUsedAt: null,
          revokedAt: null,
        },
      ],
      next: null,
    },
  }),
  example(createServiceToken, {
    request: {
      name: 'crm-sync',
      permissions: ['people.read'],
      organizationCodes: ['HARBORLINE'],
      days: 90,
      reason: 'The customer records are compared at night.',
    },
    response: {
      tokenUuid: TOKEN_UUID,
      token: 'ptk_Q2hvb3NlWW91ck93blNlY3JldEFuZEtlZXBJdFNhZmU',
      expiresAt: AT + 7_776_000_000,
    },
  }),
  example(revokeServiceToken, {
    request: { tokenUuid: TOKEN_UUID, reason: 'The program was replaced.' },
    response: { changed: true },
  }),
]
