import type { Banner, Dismissals } from '@portico/contracts/banner'
import { NOTICES } from '@portico/contracts/errors'
import { flow } from '@portico/flow'
import { dismissalOf } from '@portico/rules/banners'

/** The banners of a page (§4.3): fetched once, then only dismissed. Errors are stored in the state but never shown. */
export type State =
  | { step: 'loading' }
  | { step: 'loaded'; banners: readonly Banner[]; dismissals: Dismissals }
  | { step: 'failed'; error: string }

export type Event =
  | { type: 'bannersRead'; banners: readonly Banner[]; dismissals: Dismissals }
  | { type: 'readFailed'; error: string }
  | { type: 'dismissed'; banner: Banner; at: number }
  | { type: 'dismissedElsewhere'; dismissals: Dismissals }

export type Command =
  | { type: 'readBanners' }
  | { type: 'watchDismissals' }
  | { type: 'saveDismissal'; uuid: string; dismissal: Dismissals[string] }

export const banners = flow<State, Event, Command, null>({
  name: 'banners',
  begin: () => [{ step: 'loading' }, { type: 'readBanners' }],
  failed: { type: 'readFailed', error: NOTICES.fetchFailed },
  on: {
    loading: {
      bannersRead: (_, { banners, dismissals }) => [
        { step: 'loaded', banners, dismissals },
        { type: 'watchDismissals' },
      ],
      readFailed: (_, { error }) => [{ step: 'failed', error }],
    },
    loaded: {
      dismissed: (state, { banner, at }) => {
        const dismissal = dismissalOf(banner, at)
        return [
          { ...state, dismissals: { ...state.dismissals, [banner.uuid]: dismissal } },
          { type: 'saveDismissal', uuid: banner.uuid, dismissal },
        ]
      },
      // Another tab may have loaded a newer file and pruned dismissals. Merge, so no banner reappears before a reload.
      dismissedElsewhere: (state, { dismissals }) => [
        { ...state, dismissals: { ...state.dismissals, ...dismissals } },
      ],
    },
    failed: {},
  },
})
