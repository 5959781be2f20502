import { client } from '@portico/client/client'
import { storedJwt } from '@portico/client/stored-jwt'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { IDENTITY_TOKEN_UPDATED, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { textStorage } from '@portico/contracts/text-storage'
import { partLoader } from '@portico/shell/module-failures'
import { browserPasskeys } from '@portico/shell/passkeys'
import { openTelemetry } from '@portico/telemetry'
import { recordExposure } from '@portico/telemetry/experiments'
import { sessionReplayHeaders } from '@portico/telemetry/session-replay'
import { botCheck } from './bot-check/bot-check.ts'
import type { Environment } from './environment.ts'
import { trackedClient } from './tracked-client.ts'

export function browserEnvironment(page: PageData, window: Window): Environment {
  const jwt = storedJwt(window)
  const storage = textStorage(() => window.sessionStorage)
  const clock = () => Date.now()
  const telemetry = openTelemetry(window, page)
  const replayHeaders = sessionReplayHeaders(window, page)
  const organization = page.organization.orgCode
  const call = trackedClient(client({ jwt, organization, replayHeaders }), telemetry.trackingId)
  const navigate = (to: string) => {
    const url = new URL(to, window.location.href)
    if (!/^https?:$/.test(url.protocol))
      throw new TypeError('Cannot navigate: only http and https URLs are allowed')
    window.location.assign(url)
  }
  const reload = () => window.location.reload()
  return {
    client: call,
    jwt,
    storage,
    production: !page.demonstration,
    location: () => new URL(window.location.href),
    navigate,
    reload,
    clock,
    wait,
    reportError: (error) => window.reportError(error),
    recordExposure: (key) => recordExposure(key, organization),
    telemetry,
    botCheck: botCheck(page.botCheck, { client: call, clock }),
    wallet: {
      open: (to) => navigate(`${ROUTER_BASE}/wallet?${new URLSearchParams({ redirectUrl: to })}`),
      async disconnect() {
        const session = textStorage(() => window.localStorage).read(STORAGE_KEYS.walletConnect)
        if (session === undefined) return
        const { disconnectWallet } = await import('./wallet/wallet.tsx')
        await disconnectWallet(window.location.origin)
      },
    },
    identityTokenUpdated: () => void window.dispatchEvent(new Event(IDENTITY_TOKEN_UPDATED)),
    // No gatekeeper is built in, so a connected user continues directly to the redirect URL.
    gatekeeper: async ({ redirectUrl }) => redirectUrl,
    copy: (text) =>
      window.navigator.clipboard.writeText(text).then(
        () => true,
        // The browser denied clipboard access; the code can still be scanned.
        () => false,
      ),
    passkeys: browserPasskeys,
    chance: () => Math.random(),
    loadPart: partLoader({ storage, reload }),
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
