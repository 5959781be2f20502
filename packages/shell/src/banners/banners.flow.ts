import type { Banner, Dismissals } from '@portico/contracts/banner'
import { NOTICES } from '@portico/contracts/errors'
import { flow } from '@portico/flow'
import { dismissalOf } from '@portico/rules/banners'

/** The banners of a page (§4.3): fetched once, then only ever fewer. What went wrong is kept and shown to nobody. */
export type State =
  | { step: 'loading' }
  | { step: 'loaded'; banners: readonly Banner[]; dismissals: Dismissals }
  | { step: 'failed'; error: string }

/** What the banners hear. */
export type Event =
  | { type: 'bannersRead'; banners: readonly Banner[]; dismissals: Dismissals }
  | { type: 'readFailed'; error: string }
  | { type: 'dismissed'; banner: Banner; at: number }
  | { type: 'dismissedElsewhere'; dismissals: Dismissals }

/** What the banners have done. */
export type Command =
  | { type: 'readBanners' }
  | { type: 'watchDismissals' }
  | { type: 'keepDismissal'; uuid: string; dismissal: Dismissals[string] }

/** The table of the banners. */
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
          { type: 'keepDismissal', uuid: banner.uuid, dismissal },
        ]
      },
      // Another tab may have a newer file and have dropped what was dismissed here: nothing comes back before a reload.
      dismissedElsewhere: (state, { dismissals }) => [
        { ...state, dismissals: { ...state.dismissals, ...dismissals } },
      ],
    },
    failed: {},
  },
})
