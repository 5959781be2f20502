import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { PromptAnswer } from '../approval-prompt.ts'
import type { KeyStore } from '../key-store.ts'
import type { VisibilityGuard } from '../visibility-guard.ts'
import type { Command, Event } from './approval.flow.ts'

export interface ApprovalDeps {
  readonly keyStore: Pick<KeyStore, 'requestApproval' | 'approve' | 'reject'>
  readonly visibility: VisibilityGuard
  /** Commits the request before it is carried out; false if the page has withdrawn it. */
  readonly commit: () => Promise<boolean>
  /** Lets the page withdraw the request again. */
  readonly release: () => void
  readonly onAnswer: (promptId: number, result: PromptAnswer) => void
}

export function approvalServices({
  keyStore,
  visibility,
  commit,
  release,
  onAnswer,
}: ApprovalDeps): Services<Event, Command> {
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
      return { type: 'resultReceived', result: await keyStore.approve(await approvalId()) }
    })

  return {
    requestApproval: ({ request }) =>
      attempt(async () => ({
        type: 'approvalCreated' as const,
        approval: await keyStore.requestApproval(request),
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
      carryOut(async () => (await keyStore.requestApproval(request)).approvalId),
    release,
    async reject({ approvalId }) {
      // Best effort, for the audit log: the approval expires in a few minutes anyway.
      await keyStore.reject(approvalId).catch(() => undefined)
    },
    returnResult: ({ promptId, result }) => onAnswer(promptId, result),
  }
}
