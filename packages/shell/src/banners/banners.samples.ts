import type { Banner } from '@portico/contracts/banner'
import type { Event } from './banners.flow.ts'

const banner: Banner = {
  uuid: 'maintenance',
  message: 'Closed on Monday',
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: 1, updatedAt: 1 },
}

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'bannersRead', banners: [banner], dismissals: {} },
  { type: 'readFailed', error: 'Failed to fetch' },
  { type: 'dismissed', banner, at: 2 },
  { type: 'dismissedElsewhere', dismissals: { maintenance: { at: 3 } } },
]
