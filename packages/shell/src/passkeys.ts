import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

/** WebAuthn options and responses, opaque here: JSON passed between the server and the browser. */
type Json = Record<string, unknown>

/** The browser's passkeys. A canceled or failed prompt resolves to undefined; browsers do not distinguish the cases. */
export interface Passkeys {
  /** Whether this browser supports WebAuthn. */
  readonly supported: () => boolean
  /** Whether it supports passkey autofill (conditional UI). */
  readonly supportsAutofill: () => Promise<boolean>
  /** Opens the browser's passkey prompt. */
  readonly request: (options: Json, signal: AbortSignal) => Promise<Json | undefined>
  /** Offers passkeys in the field whose `autocomplete` ends with `webauthn`, until one is chosen or the signal aborts. */
  readonly offer: (options: Json, signal: AbortSignal) => Promise<Json | undefined>
  readonly create: (options: Json, signal: AbortSignal) => Promise<Json | undefined>
}

// The library is loaded on first use, not with the page.
const library = () => import('@simplewebauthn/browser')

export const browserPasskeys: Passkeys = {
  supported: () => typeof globalThis.PublicKeyCredential === 'function',
  async supportsAutofill() {
    const { browserSupportsWebAuthnAutofill } = await library()
    return browserSupportsWebAuthnAutofill()
  },
  request: (options, signal) =>
    runCeremony(signal, ({ startAuthentication }) =>
      startAuthentication({ optionsJSON: requestOptions(options) }),
    ),
  offer: (options, signal) =>
    runCeremony(signal, ({ startAuthentication }) =>
      startAuthentication({ optionsJSON: requestOptions(options), useBrowserAutofill: true }),
    ),
  create: (options, signal) =>
    runCeremony(signal, ({ startRegistration }) =>
      startRegistration({
        // Created by the server's WebAuthn library for this one, and validated by the browser.
        optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
      }),
    ),
}

// Created by the server's WebAuthn library for this one, and validated by the browser.
const requestOptions = (options: Json) =>
  options as unknown as PublicKeyCredentialRequestOptionsJSON

async function runCeremony(
  signal: AbortSignal,
  run: (loaded: Awaited<ReturnType<typeof library>>) => Promise<object>,
): Promise<Json | undefined> {
  const loaded = await library()
  if (signal.aborted) return undefined
  const cancel = () => loaded.WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  try {
    return { ...(await run(loaded)) }
  } catch {
    // Canceled, timed out, refused or no passkey: for privacy, browsers report the same error for all of them.
    return undefined
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
