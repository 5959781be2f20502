import type { BannerContent, BannerItem } from '@portico/contracts/admin/banners'
import * as calls from '@portico/contracts/admin/banners'
import { example } from '../../operations/openapi-example.ts'

const AT = 1_767_225_600_000
const ID = '0d6b1c52-7c1f-4a3e-8a62-5f0f1a9c3e77'
const BRAND = 'bailey.brand@lender.example'
const REASON = 'The maintenance is announced a week ahead.'

const CONTENT: BannerContent = {
  message: 'Planned maintenance on Saturday from 2 to 4 am Eastern.',
  apps: ['login', 'dashboard'],
  variant: 'warn',
  dismissable: true,
  startsAt: AT,
  endsAt: AT + 86_400_000,
  organizationCodes: ['HARBORLINE'],
}
const ITEM: BannerItem = {
  id: ID,
  origin: 'console',
  version: 1,
  published: CONTENT,
  isShown: true,
  draft: null,
}
const BANNER_ID = { description: 'The UUID of the banner.', example: ID }

export const BANNER_EXAMPLES = [
  example(calls.listBanners, {
    query: { after: { description: '`next` of the page before.', example: ID } },
    response: { items: [ITEM], next: null },
  }),
  example(calls.saveBannerDraft, {
    request: { id: ID, content: CONTENT, revision: 0, baseVersion: 0 },
    response: { outcome: 'saved', revision: 1, errors: [] },
  }),
  example(calls.discardBannerDraft, { request: { id: ID, revision: 1 } }),
  example(calls.publishBanner, {
    request: { id: ID, revision: 1, showAgain: true, reason: REASON },
    response: { outcome: 'published', version: 1 },
  }),
  example(calls.endBanner, {
    request: { id: ID, version: 1, reason: 'The maintenance is done.' },
    response: { version: 2 },
  }),
  example(calls.readBannerHistory, {
    query: { id: BANNER_ID },
    response: {
      items: [
        {
          version: 1,
          content: CONTENT,
          author: BRAND,
          publishedBy: BRAND,
          publishedAt: AT,
          reason: REASON,
        },
      ],
    },
  }),
  example(calls.exportBanners, { response: { banners: [] } }),
]
