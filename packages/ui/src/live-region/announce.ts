/** How long an announcement stays in the page before it is cleared (§9). */
export const LIVE_REGION_CLEAR_MS = 300

/** Puts words into the page and takes them out again; the result calls it off. */
export function announce(message: string, say: (words: string) => void): () => void {
  say(message)
  const timer = setTimeout(() => say(''), LIVE_REGION_CLEAR_MS)
  return () => clearTimeout(timer)
}
