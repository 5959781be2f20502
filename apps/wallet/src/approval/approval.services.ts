import type { ApprovalResult } from '@portico/contracts/hosted-wallet'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { KeyKeeper } from '../key-keeper.ts'
import type { VisibilityGuard } from '../visibility-guard.ts'
import type { Command, Event } from './approval.flow.ts'

/** What a question leans on. */
export interface ApprovalDeps {
  readonly keeper: Pick<KeyKeeper, 'ask' | 'approve' | 'reject'>
  readonly sight: VisibilityGuard
  readonly onAnswer: (questionId: number, result: ApprovalResult | undefined) => void
}

/** Carries out what a question has done; each service reports back with an event. */
export function approvalServices({
  keeper,
  sight,
  onAnswer,
}: ApprovalDeps): Services<Event, Command> {
  const refusing = async (attempt: () => Promise<Event>): Promise<Event> => {
    try {
      return await attempt()
    } catch (error) {
      return { type: 'refused', failure: failureOf(error) }
    }
  }
  const given = async (approvalId: string): Promise<Event> => ({
    type: 'given',
    result: await keeper.approve(approvalId),
  })

  return {
    ask: ({ request }) =>
      refusing(async () => ({ type: 'told', asked: await keeper.ask(request) })),
    async awaitStillness(_, signal) {
      await sight.settled(signal)
      return { type: 'settled' }
    },
    async awaitDisturbance(_, signal) {
      await sight.disturbed(signal)
      return { type: 'disturbed' }
    },
    approve: ({ approvalId }) => refusing(() => given(approvalId)),
    // Which account it is about is known only now, so it is asked for and approved in one go.
    connect: ({ request }) => refusing(async () => given((await keeper.ask(request)).approvalId)),
    async turnDown({ approvalId }) {
      // Best effort, for the record: nobody will approve it, and after some minutes nobody can.
      await keeper.reject(approvalId).catch(() => undefined)
    },
    handBack: ({ questionId, result }) => onAnswer(questionId, result),
  }
}
