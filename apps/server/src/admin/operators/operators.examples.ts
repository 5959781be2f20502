import { readOperator } from '@portico/contracts/admin/operators'
import { example } from '../../operations/openapi-example.ts'

const AT = 1_767_225_600_000

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
]
