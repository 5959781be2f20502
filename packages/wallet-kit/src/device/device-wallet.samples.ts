import { UNEXPECTED } from '@portico/shell/failure'
import { signing } from '../approval/approval.samples.ts'
import type { VaultState } from '../device-wallet.ts'
import type { Event, Situation } from './device-wallet.flow.ts'

const EMPTY: VaultState = { step: 'empty' }
const LOCKED: VaultState = { step: 'locked', hasPasskey: false, retryAt: null }
const UNLOCKED: VaultState = { step: 'unlocked', hasPasskey: false, idleMinutes: 15 }

const next = { ...signing, id: 'next' }

/** Every combination of a vault, a request and how the previous one ended. */
const situations: readonly Situation[] = [EMPTY, LOCKED, UNLOCKED].flatMap((vault) =>
  [undefined, signing, next].flatMap((prompt) =>
    [undefined, { kind: 'sign', how: 'withdrawn' } as const].map((decided) => ({
      vault,
      prompt,
      waiting: prompt?.waiting ?? 0,
      decided,
      pageReturn: undefined,
    })),
  ),
)

export const inputs = [null]

/** One event of each kind. */
export const events: readonly Event[] = [
  ...situations.map((now) => ({ type: 'changed' as const, now })),
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
  { type: 'answered', promptId: signing.id, result: { kind: 'sign', signature: '00' } },
  { type: 'rejected' },
  { type: 'continued' },
  { type: 'delayPassed', how: 'agreed' },
  { type: 'delayPassed', how: 'refused' },
]
