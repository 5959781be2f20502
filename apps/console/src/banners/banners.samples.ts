import type { BannerItem } from '@portico/contracts/admin/banners'
import type { Answers } from '../testing.tsx'

const AT = Date.UTC(2026, 10, 23, 8)
const DAY_MS = 86_400_000

const content = {
  message: 'Transfers pause on Sunday from 2 to 4 in the morning, Eastern Time.',
  apps: ['login', 'dashboard'],
  variant: 'warn' as const,
  dismissable: true,
  startsAt: AT - DAY_MS,
  endsAt: AT + 6 * DAY_MS,
  organizationCodes: null,
}

export const SHOWN: BannerItem = {
  id: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b10',
  origin: 'console',
  version: 2,
  published: content,
  isShown: true,
  draft: {
    revision: 3,
    content: { ...content, message: 'Transfers pause on Sunday from 2 to 5 in the morning.' },
    author: 'bram.brand@portico.example',
    savedAt: AT,
    errors: [],
  },
}

export const SCHEDULED: BannerItem = {
  ...SHOWN,
  id: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b11',
  version: 1,
  published: {
    ...content,
    message: 'Our phones are closed on Thanksgiving.',
    variant: 'info',
    startsAt: AT + 2 * DAY_MS,
    endsAt: null,
    organizationCodes: ['FIGURE', 'NORTHGALE'],
  },
  isShown: false,
  draft: null,
}

export const BANNERS = {
  listBanners: {
    items: [
      SHOWN,
      SCHEDULED,
      {
        ...SCHEDULED,
        id: 'file-welcome',
        origin: 'file',
        version: 0,
        published: { ...content, message: 'Welcome.', startsAt: null, endsAt: null },
        isShown: true,
      },
      {
        ...SHOWN,
        id: '5e0c2b7a-1f3d-4c6e-8a9b-0d1e2f3a4b12',
        version: 0,
        published: null,
        isShown: false,
      },
    ] satisfies BannerItem[],
    next: null,
  },
  readBannerHistory: {
    items: [
      {
        version: 2,
        content,
        author: 'bram.brand@portico.example',
        publishedBy: 'ada.admin@portico.example',
        publishedAt: AT - DAY_MS,
        reason: 'The bank moves its systems.',
      },
    ],
  },
} satisfies Answers
