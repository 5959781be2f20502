import type { ApprovalResult } from '@portico/contracts/hosted-wallet'

/**
 * Holds the result of an approval until the connection consumes it: once, and only for exactly the content that
 * was approved. A request for anything else was never shown to the user.
 */
export interface ApprovalResults {
  readonly store: (key: string, result: ApprovalResult) => void
  readonly consume: <Kind extends ApprovalResult['kind']>(
    key: string,
    kinds: readonly Kind[],
  ) => Extract<ApprovalResult, { kind: Kind }>
}

/** Holds one result at a time, because the user decides one request at a time. */
export function approvalResults(): ApprovalResults {
  let stored: { readonly key: string; readonly result: ApprovalResult } | undefined
  return {
    store(key, result) {
      stored = { key, result }
    },
    consume(key, kinds) {
      const result = stored?.key === key ? stored.result : undefined
      stored = undefined
      if (result === undefined || !isOf(result, kinds)) {
        throw new Error(`Nothing was approved for this request (expected ${kinds.join(' or ')})`)
      }
      return result
    },
  }
}

function isOf<Kind extends ApprovalResult['kind']>(
  result: ApprovalResult,
  kinds: readonly Kind[],
): result is Extract<ApprovalResult, { kind: Kind }> {
  return kinds.some((kind) => kind === result.kind)
}
