import type { Operations, WaitingMessages } from '@portico/contracts/admin/operations'
import type { Answers } from '../testing.tsx'

const AT = Date.UTC(2026, 10, 23, 14)
const DAY_MS = 86_400_000

export const OPERATIONS = {
  readOperations: {
    nodes: [
      {
        nodeId: '2f9c0a4e-1d7b-4a6c-9e35-8b1f6d2c7a90',
        version: '0.1.0',
        startedAt: AT - 3 * DAY_MS,
        seenAt: AT,
        relay: { connections: 214, topics: 230, waitingTopics: 3 },
        redis: 'ready',
      },
      {
        nodeId: '7a1d5e92-4c3b-4f80-8d26-0e9b7c5a3f14',
        version: '0.2.0',
        startedAt: AT - 60_000,
        seenAt: AT,
        relay: { connections: 12, topics: 12, waitingTopics: null },
        redis: 'unreachable',
      },
    ],
    database: { engine: 'postgresql', latencyMs: 0.84 },
    outbox: { email: { waiting: 2, since: AT - 900_000 }, sms: { waiting: 0, since: null } },
    webhooks: { waiting: 14, since: AT - 7_200_000, failing: 1, disabled: 0 },
    rateLimits: [
      { limit: 'login', refused: 1412, lastHour: AT },
      { limit: 'sendToken', refused: 3, lastHour: AT - 7_200_000 },
    ],
    certificates: [
      { organizationCode: 'HARBORLINE', provider: 'Harborline ID', expiresAt: AT + 12 * DAY_MS },
      { organizationCode: 'FIGURE', provider: 'Figure staff', expiresAt: AT + 400 * DAY_MS },
    ],
    directoryRefusals: [
      {
        organizationCode: 'HARBORLINE',
        provider: 'Harborline ID',
        method: 'PATCH',
        resource: 'Users',
        reason: 'invalidValue',
        attribute: 'emails',
        isDepartureApplied: true,
        refused: 3,
        lastAt: AT - 900_000,
      },
      {
        organizationCode: 'HARBORLINE',
        provider: 'Harborline ID',
        method: 'POST',
        resource: 'Users',
        reason: 'uniqueness',
        attribute: 'userName',
        isDepartureApplied: false,
        refused: 1,
        lastAt: AT - 7_200_000,
      },
      {
        organizationCode: 'FIGURE',
        provider: 'Figure staff',
        method: 'GET',
        resource: 'Groups',
        reason: 'invalidFilter',
        attribute: null,
        isDepartureApplied: false,
        refused: 1412,
        lastAt: AT - 2 * DAY_MS,
      },
    ],
  } satisfies Operations,
  listWaitingMessages: {
    items: [
      {
        messageUuid: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b10',
        channel: 'email',
        kind: 'passcodeMail',
        recipient: 'l…@portico.example',
        createdAt: AT - 900_000,
        attempts: 4,
        nextAttemptAt: AT + 240_000,
      },
      {
        messageUuid: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b11',
        channel: 'email',
        kind: 'newDeviceMail',
        recipient: 'o…@northgale.example',
        createdAt: AT - 300_000,
        attempts: 2,
        nextAttemptAt: AT + 60_000,
      },
    ],
    next: null,
  } satisfies WaitingMessages,
} satisfies Answers
