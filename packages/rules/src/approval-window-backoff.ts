import {
  APPROVAL_WINDOW_INTERVAL_MS,
  APPROVAL_WINDOW_OPENINGS_WITHOUT_WAIT,
  FIRST_APPROVAL_WINDOW_WAIT_MS,
  MAX_APPROVAL_WINDOW_WAIT_MS,
} from '@portico/contracts/limits'

/** How often the approval window was opened for a page since the user last approved one of its requests. */
export interface WindowOpening {
  readonly count: number
  /** When it was last opened, in epoch milliseconds. */
  readonly at: number
}

/** How long the approval window does not open again for a page, after it was opened this often without an approval. */
export function approvalWindowWaitMs(count: number): number {
  const waits = count - APPROVAL_WINDOW_OPENINGS_WITHOUT_WAIT
  if (waits < 0) return APPROVAL_WINDOW_INTERVAL_MS
  return Math.min(FIRST_APPROVAL_WINDOW_WAIT_MS * 2 ** waits, MAX_APPROVAL_WINDOW_WAIT_MS)
}

/**
 * The new count if the window may open for a page now; undefined if the page has to wait. Then its request waits in the toolbar.
 * Twice the longest wait without an opening starts the count again, and so does a clock that was set back.
 */
export function nextOpening(
  last: WindowOpening | undefined,
  now: number,
): WindowOpening | undefined {
  if (last === undefined) return { count: 1, at: now }
  const passed = now - last.at
  if (passed < 0 || passed >= 2 * MAX_APPROVAL_WINDOW_WAIT_MS) return { count: 1, at: now }
  return passed < approvalWindowWaitMs(last.count) ? undefined : { count: last.count + 1, at: now }
}
