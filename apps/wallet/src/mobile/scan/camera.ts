/** The back camera: requested once and only by a tap, and released when the page is hidden or left. */

/** Why there is no picture. */
export type CameraFailure = 'in-use' | 'missing' | 'refused' | 'unsupported'

type CameraState =
  | { readonly step: 'off' }
  | { readonly step: 'starting' }
  | {
      readonly step: 'on'
      readonly stream: MediaStream
      /** Whether the lamp is lit; undefined if the camera has none. */
      readonly torch: boolean | undefined
    }
  | { readonly step: 'failed'; readonly failure: CameraFailure }

export interface Camera {
  readonly state: () => CameraState
  /** Calls back on changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** Call it in a tap: browsers ask for the permission then. Does nothing while the camera starts or runs. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  readonly switchTorch: () => Promise<void>
}

/** Enough for a dense code in the middle of the picture. */
const CONSTRAINTS = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
} as const satisfies MediaStreamConstraints

const FAILURES: Readonly<Record<string, CameraFailure>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'in-use',
  NotSupportedError: 'unsupported',
  AbortError: 'in-use',
}

export function openCamera({
  mediaDevices,
  document,
}: {
  /** Absent on pages that were not loaded over https. */
  readonly mediaDevices: Pick<MediaDevices, 'getUserMedia'> | undefined
  readonly document: Pick<Document, 'addEventListener' | 'visibilityState'>
}): Camera {
  let state: CameraState = { step: 'off' }
  const listeners = new Set<() => void>()
  const set = (next: CameraState) => {
    state = next
    for (const listener of listeners) listener()
  }

  // A function, because the compiler does not expect the state to change while the browser asks.
  const isCurrent = (starting: CameraState) => state === starting

  const stop = () => {
    if (state.step === 'on') release(state.stream)
    if (state.step !== 'off') set({ step: 'off' })
  }

  document.addEventListener('visibilitychange', () => {
    // A failure stays on the screen: the user may have left to change a setting.
    if (document.visibilityState === 'hidden' && state.step !== 'failed') stop()
  })

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start() {
      if (state.step === 'starting' || state.step === 'on') return
      if (mediaDevices === undefined) return set({ step: 'failed', failure: 'unsupported' })
      const starting: CameraState = { step: 'starting' }
      set(starting)
      const opened = await mediaDevices.getUserMedia(CONSTRAINTS).catch((error: unknown) => error)
      if (!isStream(opened)) {
        const { name = '' } = opened as { name?: string }
        if (isCurrent(starting)) set({ step: 'failed', failure: FAILURES[name] ?? 'in-use' })
        return
      }
      // The user left while the browser asked for the permission.
      if (!isCurrent(starting)) return release(opened)
      const [track] = opened.getVideoTracks()
      track?.addEventListener('ended', () => {
        if (state.step === 'on' && state.stream === opened) {
          set({ step: 'failed', failure: 'in-use' })
        }
      })
      set({ step: 'on', stream: opened, torch: track && hasTorch(track) ? false : undefined })
    },
    stop,
    async switchTorch() {
      if (state.step !== 'on' || state.torch === undefined) return
      const { stream, torch } = state
      const [track] = stream.getVideoTracks()
      await track?.applyConstraints({ advanced: [torchConstraint(!torch)] })
      if (state.step === 'on' && state.stream === stream) set({ ...state, torch: !torch })
    },
  }
}

const isStream = (value: unknown): value is MediaStream =>
  typeof value === 'object' && value !== null && 'getVideoTracks' in value

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

// The types of the platform do not include the lamp (W3C Image Capture), which only some browsers support.
const torchConstraint = (torch: boolean) => ({ torch }) as MediaTrackConstraintSet

function hasTorch(track: MediaStreamTrack): boolean {
  const capabilities = track.getCapabilities?.() as { torch?: boolean } | undefined
  return capabilities?.torch === true
}
