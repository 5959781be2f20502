/** A time in the user's time zone: 'Nov 23, 2026, 10:42 AM'. */
export function formatTime(epochMs: number): string {
  return new Date(epochMs).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
}
