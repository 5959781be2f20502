/** Drafts of banners in the console, for tests. */
import { saveBannerDraft } from '@portico/contracts/admin/banners'
import type { Browser } from './browser.ts'

export const bannerContent = (changes: object = {}) => ({
  message: 'Planned maintenance',
  apps: ['login'],
  variant: 'warn',
  dismissable: true,
  startsAt: null,
  endsAt: null,
  organizationCodes: null,
  ...changes,
})

/** Saves the first draft of a banner. Returns its revision. */
export async function saveBanner(
  { call }: Pick<Browser, 'call'>,
  id: string,
  changes: object,
): Promise<number> {
  const body = { id, content: bannerContent(changes), revision: 0, baseVersion: 0 }
  const saved = await call(saveBannerDraft, { body })
  if (saved.outcome !== 'saved') throw new Error('The draft was not saved')
  return saved.revision
}
