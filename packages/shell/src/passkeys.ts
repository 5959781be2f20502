import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

/** What the server gives for the browser, and what the browser gives for the server: JSON that neither we nor they read here. */
type Json = Record<string, unknown>

/** The browser's passkeys. What is given up or refused gives nothing: the browser tells nobody which it was. */
export interface Passkeys {
  /** Whether this browser has any; without, nobody is offered one. */
  readonly supported: () => boolean
  /** Whether it offers them in a field, beside addresses and passwords. */
  readonly offeredInFields: () => Promise<boolean>
  /** Asks for a passkey in a window of the browser. */
  readonly ask: (options: Json, signal: AbortSignal) => Promise<Json | undefined>
  /** Offers passkeys in the field whose `autocomplete` ends with `webauthn`, until one is chosen or the signal aborts. */
  readonly offer: (options: Json, signal: AbortSignal) => Promise<Json | undefined>
  readonly make: (options: Json, signal: AbortSignal) => Promise<Json | undefined>
}

// The library is fetched with the first use of a passkey, not with the page.
const library = () => import('@simplewebauthn/browser')

/** The passkeys of this browser. */
export const browserPasskeys: Passkeys = {
  supported: () => typeof globalThis.PublicKeyCredential === 'function',
  async offeredInFields() {
    const { browserSupportsWebAuthnAutofill } = await library()
    return browserSupportsWebAuthnAutofill()
  },
  ask: (options, signal) =>
    answered(signal, ({ startAuthentication }) =>
      startAuthentication({ optionsJSON: requestOptions(options) }),
    ),
  offer: (options, signal) =>
    answered(signal, ({ startAuthentication }) =>
      startAuthentication({ optionsJSON: requestOptions(options), useBrowserAutofill: true }),
    ),
  make: (options, signal) =>
    answered(signal, ({ startRegistration }) =>
      startRegistration({
        // The server's library makes these options for this one; the browser checks them.
        optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
      }),
    ),
}

// The server's library makes these options for this one; the browser checks them.
const requestOptions = (options: Json) =>
  options as unknown as PublicKeyCredentialRequestOptionsJSON

async function answered(
  signal: AbortSignal,
  run: (loaded: Awaited<ReturnType<typeof library>>) => Promise<object>,
): Promise<Json | undefined> {
  const loaded = await library()
  if (signal.aborted) return undefined
  const giveUp = () => loaded.WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', giveUp)
  try {
    return { ...(await run(loaded)) }
  } catch {
    // Given up, timed out, refused, or no passkey there: browsers keep these apart from nobody but the person.
    return undefined
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
