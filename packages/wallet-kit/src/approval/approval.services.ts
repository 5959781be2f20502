import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import { type ApprovalPrompt, audienceOf, type PromptAnswer } from '../approval-prompt.ts'
import type { KeyKeeper } from '../key-keeper.ts'
import type { VisibilityGuard } from '../visibility-guard.ts'
import type { Command, Event } from './approval.flow.ts'

export interface ApprovalDeps {
  readonly prompt: Pick<ApprovalPrompt, 'audience' | 'id' | 'origin'>
  readonly keyKeeper: Pick<KeyKeeper, 'requestApproval' | 'approve' | 'reject'>
  readonly visibility: VisibilityGuard
  /** Commits the request before it is carried out; false if the page has withdrawn it. */
  readonly commit: () => Promise<boolean>
  /** Lets the page withdraw the request again. */
  readonly release: () => void
  readonly onAnswer: (promptId: string, result: PromptAnswer) => void
}

export function approvalServices({
  prompt,
  keyKeeper,
  visibility,
  commit,
  release,
  onAnswer,
}: ApprovalDeps): Services<Event, Command> {
  const requestedBy = {
    promptId: prompt.id,
    origin: prompt.origin,
    audience: audienceOf(prompt),
  }
  const attempt = async <Result>(call: () => Promise<Result>): Promise<Result | Event> => {
    try {
      return await call()
    } catch (error) {
      return { type: 'refused', failure: failureOf(error) }
    }
  }
  /** Carries out nothing that the page has withdrawn; the connection then removes this prompt. */
  const carryOut = (approvalId: () => Promise<string>) =>
    attempt(async (): Promise<Event | undefined> => {
      if (!(await commit())) return undefined
      return { type: 'resultReceived', result: await keyKeeper.approve(await approvalId()) }
    })

  return {
    requestApproval: ({ request }) =>
      attempt(async () => ({
        type: 'approvalCreated' as const,
        approval: await keyKeeper.requestApproval(request, requestedBy),
      })),
    async awaitStillness(_, signal) {
      await visibility.settled(signal)
      return { type: 'settled' }
    },
    async awaitDisturbance(_, signal) {
      await visibility.disturbed(signal)
      return { type: 'disturbed' }
    },
    approve: ({ approvalId }) => carryOut(async () => approvalId),
    // The account is only known now, so the approval is requested and given in one step.
    connect: ({ request }) =>
      carryOut(async () => (await keyKeeper.requestApproval(request, requestedBy)).approvalId),
    release,
    async reject({ approvalId }) {
      // Best effort, for the audit log: the approval expires in a few minutes anyway.
      await keyKeeper.reject(approvalId).catch(() => undefined)
    },
    returnResult: ({ promptId, result }) => onAnswer(promptId, result),
  }
}
