import type { ApprovalResult } from '@portico/contracts/hosted-wallet'

/**
 * What the keeper gave for what was approved, until the connection collects it: once, and only for the very thing that
 * was approved. Whatever else is asked for here was never shown to anybody.
 */
export interface Collected {
  readonly put: (what: string, result: ApprovalResult) => void
  readonly take: <Kind extends ApprovalResult['kind']>(
    what: string,
    kinds: readonly Kind[],
  ) => Extract<ApprovalResult, { kind: Kind }>
}

/** Holds one result at a time, as the person is asked one thing at a time. */
export function collected(): Collected {
  let held: { readonly what: string; readonly result: ApprovalResult } | undefined
  return {
    put(what, result) {
      held = { what, result }
    },
    take(what, kinds) {
      const found = held?.what === what ? held.result : undefined
      held = undefined
      if (found === undefined || !isOf(found, kinds)) {
        throw new Error(`Nothing was approved that gives ${kinds.join(' or ')} for this request`)
      }
      return found
    },
  }
}

function isOf<Kind extends ApprovalResult['kind']>(
  result: ApprovalResult,
  kinds: readonly Kind[],
): result is Extract<ApprovalResult, { kind: Kind }> {
  return kinds.some((kind) => kind === result.kind)
}
