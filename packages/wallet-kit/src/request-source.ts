import type { ApprovalPrompt, PromptAnswer } from './approval-prompt.ts'

/** Whether the page can withdraw the request that the user is deciding. */
export interface CurrentRequest {
  /**
   * Commits the current request before it is carried out: from then on the page cannot withdraw it. False if the page has
   * already withdrawn it. If it cannot be stored, the attempt has failed, and is released like any other.
   */
  readonly commit: (promptId: string) => Promise<boolean>
  /** Reverses `commit` after an attempt that carried out nothing: the page can withdraw the request again. */
  readonly release: (promptId: string) => void
}

/**
 * Where a wallet's requests arrive: from the page around a frame, through an extension's background worker, or from the relay.
 * It exposes one request at a time and accepts its answer.
 */
export interface RequestSource extends CurrentRequest {
  /** The request to decide; undefined if none is pending. */
  readonly prompt: () => ApprovalPrompt | undefined
  /** Calls back on changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** Answers the current request. */
  readonly answer: (promptId: string, result: PromptAnswer) => void
}
