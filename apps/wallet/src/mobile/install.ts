/** The browser's offer to install the wallet, which some browsers make and only once per visit. */
export interface Install {
  readonly isOffered: () => boolean
  /** Calls back on changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
  /** Shows the browser's dialog. Call it in a tap. */
  readonly prompt: () => Promise<void>
}

/** Chromium's event, which the platform's types do not include. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>
}

export function installOffer(window: Window): Install {
  let offer: InstallPromptEvent | undefined
  const listeners = new Set<() => void>()
  const set = (next: InstallPromptEvent | undefined) => {
    offer = next
    for (const listener of listeners) listener()
  }
  window.addEventListener('beforeinstallprompt', (event) => {
    // The wallet offers it at a moment when it makes sense.
    event.preventDefault()
    set(event as InstallPromptEvent) // Events of this name have this type.
  })
  window.addEventListener('appinstalled', () => set(undefined))
  return {
    isOffered: () => offer !== undefined,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async prompt() {
      const current = offer
      set(undefined)
      await current?.prompt()
    },
  }
}
