/** How long an announcement stays in the page before it is cleared (§9). */
export const LIVE_REGION_CLEAR_MS = 300

/** Sets a message and clears it after a delay; returns a cancel function. */
export function announce(message: string, say: (text: string) => void): () => void {
  say(message)
  const timer = setTimeout(() => say(''), LIVE_REGION_CLEAR_MS)
  return () => clearTimeout(timer)
}
