import type { Visitor } from '../../http/visitor.ts'
import type { Stores } from '../../stores.ts'

/**
 * Ends every open session of a provider's setup, and revokes its unopened links, in a transaction. The administrator who left, or
 * whose browser was stolen, cannot continue; another link can be mailed.
 */
export async function endSetup(
  { audit, setupLinks }: Pick<Stores, 'audit' | 'setupLinks'>,
  {
    providerId,
    at,
    visitor,
  }: {
    readonly providerId: string
    readonly at: number
    readonly visitor: Pick<Visitor, 'network' | 'organization'>
  },
): Promise<void> {
  if (!(await setupLinks.end(providerId, at))) return
  await audit.record('provider-setup-ended', { identityId: null, at }, visitor)
}
