import { ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { textStorage } from '@portico/contracts/text-storage'
import { leavePage } from '@portico/shell/leave-page'
import { pageEnvironment } from '@portico/shell/page-environment'
import { openTelemetry } from '@portico/telemetry'
import { recordExposure } from '@portico/telemetry/experiments'
import { sessionReplayHeaders } from '@portico/telemetry/session-replay'
import { botCheck } from './bot-check/bot-check.ts'
import type { Environment } from './environment.ts'
import { trackedClient } from './tracked-client.ts'

export function browserEnvironment(page: PageData, window: Window): Environment {
  const base = pageEnvironment(page, window, { replayHeaders: sessionReplayHeaders(window, page) })
  const clock = () => Date.now()
  const telemetry = openTelemetry(window, page)
  const deviceStorage = textStorage(() => window.localStorage)
  const client = trackedClient(base.client, telemetry)
  const navigate = (to: string) => {
    const url = new URL(to, window.location.href)
    if (!/^https?:$/.test(url.protocol))
      throw new TypeError('Cannot navigate: only http and https URLs are allowed')
    leavePage(window, () => window.location.assign(url))
  }
  const logViolations = (violations: readonly string[]) => {
    // oxlint-disable-next-line eslint/no-console -- The site that made the request finds it here (§5).
    console.warn('The gatekeeper refused a request:', ...violations)
    telemetry.flowRefused(violations.length)
  }
  return {
    ...base,
    client,
    location: () => new URL(window.location.href),
    navigate,
    clock,
    wait,
    recordExposure: (key) => recordExposure(key, page.organization.orgCode),
    telemetry,
    botCheck: botCheck(page.botCheck, { client, clock }),
    wallet: {
      open: (to) => navigate(`${ROUTER_BASE}/wallet?${new URLSearchParams({ redirectUrl: to })}`),
      async disconnect() {
        if (deviceStorage.read(STORAGE_KEYS.walletConnect) === undefined) return
        const { disconnectWallet } = await import('./wallet/wallet.tsx')
        await disconnectWallet(window.location.origin)
      },
    },
    deviceStorage,
    async gatekeeper(request, signal) {
      const { openGatekeeper } = await import('./open-gatekeeper.ts')
      const deps = { client, deviceStorage, jwt: base.jwt, logViolations }
      return openGatekeeper(deps)(request, signal)
    },
    logViolations,
    random: () => Math.random(),
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
